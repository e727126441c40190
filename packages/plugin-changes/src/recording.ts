import { sql } from '@octavo/core'
import { laterChanges, mayBePublicLater, publicFromOf } from '@octavo/core/internal'
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

/**
 * The kind where another plugin has a name of its own for an update. An update that hides a public entry until a later time is the end of the entry for
 * those who keep it.
 */
const kindOfOthers = sql`case when "w"."change" in (${sql.join([...kinds].map(sql.lit))}) then "w"."change" when "w"."change" = 'postponed' then 'unpublished' else 'updated' end`

/** Whether a change may be followed by a publication at a later time. */
const isPublicLater = sql`"w"."change" in (${sql.join(['created', ...laterChanges].map(sql.lit))})`

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
      const kind = changes.every((change) => kinds.has(change)) ? sql`"w"."change"` : kindOfOthers
      const publicFrom = publicFromOf(type)
      const isTimed =
        publicFrom !== undefined && (action === 'delete' || input[publicFrom.name] !== undefined)
      const later =
        publicFrom && mayBePublicLater({ action, changes, input }, publicFrom, now())
          ? sql` union all select ${uid}, "t"."id", 'published', "t".${sql.id(publicFrom.column)} ${from} join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id" where ${isPublicLater}`
          : sql``
      const insert = sql`insert into ${table} ("type", "entry", "kind", "at") select ${uid}, "w"."id", ${kind}, ${present} ${from}${later}`
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
