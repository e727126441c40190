import { ForbiddenError } from '@octavo/core'
import { definePlugin, defineProblems } from '@octavo/core/plugin'

const problem = defineProblems({
  'example/locked': { error: ForbiddenError, message: () => 'The article is locked.' },
})

/** Refuses updates of locked entries. `entries` reads in the transaction of the write. */
export const plugin = definePlugin({
  name: 'example-entry-before-update',
  setup(host) {
    host.hook('entry:beforeUpdate', async ({ type, id, by, entries }) => {
      if (id === undefined || by === 'plugin' || !type.attributes.has('locked')) return
      const stored = await entries.stored(type.uid, id)
      if (stored?.locked === 'true') throw problem('example/locked')
    })
  },
})
