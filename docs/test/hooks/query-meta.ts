import { definePlugin } from '@octavo/core/plugin'

/** Adds the titles of related articles to the `meta` of an article that is read by its id. */
export const plugin = definePlugin({
  name: 'example-query-meta',
  setup(host) {
    host.hook('query:meta', ({ model }, { action }) => {
      if (action !== 'findOne') return undefined
      const related = model.attributes.get('related')
      const title = model.attributes.get('title')
      return related?.kind === 'relation' && title?.kind === 'scalar'
        ? [{ name: 'seeAlso', relation: related, attribute: title }]
        : undefined
    })
  },
})
