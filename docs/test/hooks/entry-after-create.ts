import { definePlugin } from '@octavo/core/plugin'

/** Writes an event with each created article, in the same transaction. */
export const plugin = definePlugin({
  name: 'example-entry-after-create',
  setup(host) {
    host.hook('entry:afterCreate', async ({ type, id, entries }) => {
      if (type.uid !== 'api::article.article') return
      await entries.create('api::event.event', { text: `article ${id} created` })
    })
  },
})
