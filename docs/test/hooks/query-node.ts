import { anyOf, compare, definePlugin, isNull } from '@octavo/core/plugin'

/** Hides entries under embargo wherever they would be read. */
export const plugin = definePlugin({
  name: 'example-query-node',
  setup(host) {
    host.hook('query:node', ({ model }) => {
      const embargo = model.attributes.get('embargo')
      if (embargo?.kind !== 'scalar') return undefined
      return anyOf([isNull(embargo), compare(embargo, '$eq', false)])
    })
  },
})
