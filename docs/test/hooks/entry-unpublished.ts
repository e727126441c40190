import { definePlugin } from '@octavo/core/plugin'

/** Writes an event with each story that is unpublished, in the same transaction. */
export const plugin = definePlugin({
  name: 'example-entry-unpublished',
  setup(host) {
    host.hook('entry:unpublished', async ({ type, id, entries }) => {
      await entries.create('api::event.event', { text: `${type.singularName} ${id} unpublished` })
    })
  },
})
