import { ForbiddenError } from '@octavo/core'
import { definePlugin, defineProblems } from '@octavo/core/plugin'

const problem = defineProblems({
  'example/not-deletable': { error: ForbiddenError, message: () => 'A locked article stays.' },
})

/** Refuses to delete locked entries. */
export const plugin = definePlugin({
  name: 'example-entry-before-delete',
  setup(host) {
    host.hook('entry:beforeDelete', async ({ type, id, entries }) => {
      if (id === undefined || !type.attributes.has('locked')) return
      const stored = await entries.stored(type.uid, id)
      if (stored?.locked === 'true') throw problem('example/not-deletable')
    })
  },
})
