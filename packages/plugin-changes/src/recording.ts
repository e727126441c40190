import { type Sql, sql } from '@octavo/core'
import { publicFromOf } from '@octavo/core/internal'
import { type Channel, type PluginHost, param } from '@octavo/core/plugin'
import type { Tables } from './feed.ts'

/** The names of changes in the feed, which are those of `entry:statements`. */
export type ChangeKind = 'created' | 'updated' | 'published' | 'unpublished' | 'deleted'

const kinds: ReadonlySet<string> = new Set<ChangeKind>([
  'created',
  'updated',
  'published',
  'unpublished',
  'deleted',
])

/** The present time, in whole milliseconds as columns have them. Rounded up, a change would wait for a time that has not come. */
const present = sql`date_trunc('milliseconds', now())`

/** An update that hides a public entry until a later time, as `plugin-draft-publish` names it, is the end of the entry for those who keep it. */
const postponed = sql`when "w"."change" = 'postponed' then 'unpublished'`

/**
 * Writes each change of an entry of an `api::` type into the inbox, in the message of the write; for a time in the future in `publishedAt` also the
 * publication, which stays in the inbox until then.
 * @param channel Wakes the streams when the transaction is committed.
 * @param now The clock that gives new entries their `publishedAt`.
 */
export function recordChanges(
  host: PluginHost,
  { inbox }: Tables,
  channel: Channel<null>,
  now: () => Date,
): void {
  const table = sql.id(inbox.table)
  host.hook(
    'entry:statements',
    ({ type, written, changes, action, input }) => {
      const uid = param(type.uid, 'text')
      const from = sql`from ${written} as "w"`
      // An update that another plugin has a name of its own for.
      const isOther = changes.some((change) => !kinds.has(change))
      const known = sql.join([...kinds].map(sql.lit))
      const kind = isOther
        ? sql`case when "w"."change" in (${known}) then "w"."change" ${postponed} else 'updated' end`
        : sql`"w"."change"`
      const publicFrom = publicFromOf(type)
      const given = publicFrom && input[publicFrom.name]
      const isTimed = publicFrom !== undefined && (action === 'delete' || given !== undefined)
      const later = (): Sql => {
        if (!publicFrom || action === 'delete' || (given ?? null) === null) return sql``
        const time = sql`"t".${sql.id(publicFrom.column)}`
        // A new entry is public at once by this estimate of the database's clock, which may be some milliseconds ahead of it.
        const moment = param(now().toISOString(), 'timestamptz')
        return sql` union all select ${uid}, "t"."id", 'published', ${time} ${from} join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id" where "w"."change" in ('scheduled', 'postponed') or "w"."change" = 'created' and ${time} > ${moment}`
      }
      const insert = sql`insert into ${table} ("type", "entry", "kind", "at") select ${uid}, "w"."id", ${kind}, ${present} ${from}${later()}`
      // The entry has another time, or none.
      const remove = sql`delete from ${table} as "c" using ${written} as "w" where "c"."type" = ${uid} and "c"."entry" = "w"."id" and "c"."at" > now()`
      const statements = [
        ...(isTimed && action !== 'create' ? [remove] : []),
        insert,
        sql`select ${channel.sending(null)} ${from}`,
      ]
      return statements.map((statement) => ({ when: 'after', statement }))
    },
    { types: ({ uid }) => uid.startsWith('api::') },
  )
}
