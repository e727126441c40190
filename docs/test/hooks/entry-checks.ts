import { ApplicationError, sql } from '@octavo/core'
import { definePlugin, defineProblems, lockOf } from '@octavo/core/plugin'

const problem = defineProblems({
  'example/full-house': { error: ApplicationError, message: () => 'There are two authors already.' },
})

/** Refuses a third author. The check is in the message of the write; two creates at the same time are checked one after the other. */
export const plugin = definePlugin({
  name: 'example-entry-checks',
  setup(host) {
    host.hook(
      'entry:checks',
      ({ type }) => [
        {
          lock: lockOf('example authors'),
          finds: sql`select "id" from ${sql.id(type.table)} order by "id" offset 1 limit 1`,
          refusal: () => problem('example/full-house'),
        },
      ],
      { types: ['api::author.author'], when: ({ action }) => action === 'create' },
    )
  },
})
