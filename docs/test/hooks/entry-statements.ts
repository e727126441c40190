import { sql } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'

/** Writes an event with each change of an author, in the message of the write. */
export const plugin = definePlugin({
  name: 'example-entry-statements',
  setup(host) {
    host.hook(
      'entry:statements',
      ({ written }) => [
        {
          when: 'after',
          statement: sql`insert into "events" ("text") select 'author ' || "w"."id" || ' ' || "w"."change" from ${written} as "w"`,
        },
      ],
      { types: ['api::author.author'] },
    )
  },
})
