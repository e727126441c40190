import { definePlugin, InvalidValue } from '@octavo/core/plugin'

/** `?editions=all` lists all entries of a single type that the caller may read. */
export const plugin = definePlugin({
  name: 'example-query-single',
  setup(host) {
    const all = host.param('editions', {
      read: (value) => {
        if (value === 'all') return true
        throw new InvalidValue('all')
      },
      default: false,
    })
    host.hook('query:single', (node) => (node.param(all) ? true : undefined))
  },
})
