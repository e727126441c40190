import { definePlugin } from '@octavo/core/plugin'

/** Gives articles an attribute `source`. */
export const plugin = definePlugin({
  name: 'example-definitions-extend',
  setup(host) {
    host.hook('definitions:extend', (definitions) => ({
      ...definitions,
      contentTypes: definitions.contentTypes.map((type) =>
        type.info.singularName === 'article'
          ? { ...type, attributes: { ...type.attributes, source: { type: 'string' } } }
          : type,
      ),
    }))
  },
})
