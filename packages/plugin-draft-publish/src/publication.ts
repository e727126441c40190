import { type Octavo, sql } from '@octavo/core'
import {
  type ContentType,
  type EntryInput,
  type FilteredEvent,
  type PluginHost,
  param,
  type WriteStatement,
} from '@octavo/core/plugin'

type PublicationHook = 'entry:published' | 'entry:unpublished'

/**
 * Runs `entry:published` after updates that make an entry public, and `entry:unpublished` after those that end that. The entry is looked at in the
 * message of the write, since an entry with a time in the future becomes public without one.
 */
export function reportPublication(
  host: PluginHost,
  octavo: () => Octavo,
  types: (type: ContentType) => boolean,
  scheduled: boolean,
): void {
  /** The hook that fits the entry before an update and after it, by the input. */
  const fitting = new WeakMap<EntryInput, { [when in WriteStatement['when']]?: PublicationHook }>()
  // Not the time of the transaction: a time that has passed since then is not in the future.
  const isPublic = scheduled ? sql`"published_at" <= clock_timestamp()` : sql`"published_at" is not null`

  host.hook(
    'entry:afterUpdate',
    async (event) => {
      const { before, after } = fitting.get(event.input) ?? {}
      if (after && after !== before) await octavo().hooks.guard(after, event)
    },
    {
      types,
      when: (event: FilteredEvent) => {
        const { hooks } = octavo()
        if (event.input.publishedAt === undefined) return false
        return hooks.has('entry:published', event) || hooks.has('entry:unpublished', event)
      },
      sends: ({ type, id = 0, input }) => {
        const found: { [when in WriteStatement['when']]?: PublicationHook } = {}
        fitting.set(input, found)
        const statement = sql`select case when ${isPublic} then 'entry:published' else 'entry:unpublished' end from ${sql.id(type.table)} where "id" = ${param(id, 'int4')}`
        return (['before', 'after'] as const).map((when) => ({
          when,
          statement,
          receive: ([hook]) => {
            found[when] = hook as PublicationHook // one of the two texts above
          },
        }))
      },
    },
  )
}
