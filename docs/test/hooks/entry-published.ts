import { definePlugin } from '@octavo/core/plugin'

/** Writes an event with each story that is published, in the same transaction. */
export const plugin = definePlugin({
  name: 'example-entry-published',
  setup(host) {
    host.hook('entry:published', async ({ type, id, entries }) => {
      await entries.create('api::event.event', { text: `${type.singularName} ${id} published` })
    })
  },
})
