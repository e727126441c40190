import { computed, sql } from '@octavo/core'
import { definePlugin, type Plugin } from '@octavo/core/plugin'

/**
 * Adds `readingMinutes` to every content-type and component with a text `body`. PostgreSQL computes it in the statement of the
 * request, so it can be filtered and sorted by.
 */
export const readingTime = ({ wordsPerMinute = 200 }: { readonly wordsPerMinute?: number } = {}): Plugin =>
  definePlugin({
    name: 'reading-time',
    setup(host) {
      host.hook('attribute:computed', ({ attributes: { body } }) =>
        body?.type === 'text'
          ? {
              readingMinutes: {
                type: 'integer',
                description: 'Minutes that it takes to read the body, rounded up.',
                computed: computed({
                  from: { body: 'text' },
                  sql: ({ body }) =>
                    sql`ceil(cardinality(regexp_split_to_array(trim(${body}), '[[:space:]]+')) / ${wordsPerMinute}::float8)`,
                }),
              },
            }
          : undefined,
      )
    },
  })
