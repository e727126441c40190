import { computed, sql } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'

/** Gives the types that have a title its length, which can be filtered and sorted by. */
export const plugin = definePlugin({
  name: 'example-attribute-computed',
  setup(host) {
    host.hook('attribute:computed', ({ attributes: { title } }) =>
      title?.type === 'string'
        ? {
            titleLength: {
              type: 'integer',
              computed: computed({
                from: { title: 'string' },
                sql: ({ title }) => sql`char_length(${title})`,
              }),
            },
          }
        : undefined,
    )
  },
})
