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

/**
 * Updates with a `publishedAt` in the future, as `plugin-draft-publish` names them. One that hides a published entry until then is the end of the
 * entry for those who keep it; one that publishes a draft then is read after that time only.
 */
const later = { scheduled: 'published', postponed: 'unpublished' } as const satisfies Record<
  string,
  ChangeKind
>

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
      const whens = Object.entries(later).map(
        ([name, as]) => sql`when "w"."change" = ${sql.lit(name)} then ${sql.lit(as)}`,
      )
      const kind = isOther
        ? sql`case when "w"."change" in (${known}) then "w"."change" ${sql.join(whens, sql` `)} else 'updated' end`
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
