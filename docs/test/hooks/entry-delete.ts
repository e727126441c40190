import { definePlugin } from '@octavo/core/plugin'

/** Deleting an author empties it and keeps the entry, so that articles keep their author. */
export const plugin = definePlugin({
  name: 'example-entry-delete',
  setup(host) {
    host.hook('entry:delete', ({ type }) =>
      type.uid === 'api::author.author' ? { name: null, salary: null, left: true } : undefined,
    )
  },
})
