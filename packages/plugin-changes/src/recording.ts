import { sql } from '@octavo/core'
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

/** An update that hides a published entry until a later time, as `plugin-draft-publish` names it: those who keep the entry must remove it. */
const postponed = 'postponed'

/**
 * Writes each change of an entry of an `api::` type into the inbox, in the message of the write.
 * @param channel Wakes the streams when the transaction is committed.
 */
export function recordChanges(host: PluginHost, { inbox }: Tables, channel: Channel<null>): void {
  const table = sql.id(inbox.table)
  host.hook(
    'entry:statements',
    ({ type, written, changes }) => {
      const uid = param(type.uid, 'text')
      // An update that another plugin has a name of its own for.
      const isOther = changes.some((change) => !kinds.has(change))
      const known = sql.join([...kinds].map(sql.lit))
      const kind = isOther
        ? sql`case when "w"."change" in (${known}) then "w"."change" when "w"."change" = ${sql.lit(postponed)} then 'unpublished' else 'updated' end`
        : sql`"w"."change"`
      return [
        {
          when: 'after',
          statement: sql`insert into ${table} ("type", "entry", "kind", "at") select ${uid}, "w"."id", ${kind}, now() from ${written} as "w"`,
        },
        { when: 'after', statement: sql`select ${channel.sending(null)} from ${written} as "w"` },
      ]
    },
    { types: ({ uid }) => uid.startsWith('api::') },
  )
}
