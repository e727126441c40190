/** The event of a publication at a later time: a delivery that is due then, and follows the entry until then. */
import { type Sql, sql } from '@octavo/core'
import { type ContentType, param, type StatementEvent, type WriteStatement } from '@octavo/core/plugin'
import { type Deliveries, deliveryOf } from './outbox.ts'

/** The updates with a `publishedAt` in the future, as `plugin-draft-publish` names them. */
const laterChanges: ReadonlySet<string> = new Set(['scheduled', 'postponed'])

interface PublicationParts {
  readonly table: Deliveries
  readonly type: ContentType
  readonly written: Sql
  /** Expressions over the row `t` of the entry. */
  readonly body: Sql
  readonly at: Sql
}

const entryOf = ({ uid }: ContentType): Sql => sql`${param(`${uid} `, 'text')} || "w"."id"`

/** Whether a write may be a publication at a later time. */
export function mayBeLater({ action, changes, input }: StatementEvent, now: Date): boolean {
  if (action !== 'create') return changes.some((change) => laterChanges.has(change))
  // A text in another form is left to the database.
  return input.publishedAt != null && !(Date.parse(String(input.publishedAt)) <= now.getTime())
}

/** Adds the deliveries of an update that is one of {@link laterChanges}, and of a create with a time in the future. */
export function laterPublication(
  { table, type, written, body, at }: PublicationParts,
  event: string,
  webhooks: readonly string[],
): WriteStatement {
  const changes = sql.join([...laterChanges].map(sql.lit))
  const isLater = sql`("w"."change" in (${changes}) or "w"."change" = 'created' and ${at} > now())`
  const from = sql`${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id" and ${isLater}`
  const later = { due: at, entry: entryOf(type) }
  return { when: 'after', statement: deliveryOf(table, event, webhooks, { from, body, later }) }
}

/** Changes the deliveries that nobody has begun with the entry: a draft and an entry that is gone are not published. */
export function followPublication(
  { table, type, written, body, at }: PublicationParts,
  { action, input }: StatementEvent,
): readonly WriteStatement[] {
  if (action === 'create') return []
  const deliveries = sql.id(table.table)
  const waiting = sql`"d"."entry" = ${entryOf(type)} and "d"."state" = 'pending' and "d"."attempts" = 0`
  if (action === 'delete' || input.publishedAt === null) {
    const statement = sql`delete from ${deliveries} as "d" using ${written} as "w" where ${waiting}`
    return [{ when: 'before', statement }]
  }
  const from = sql`${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id"`
  const statement = sql`update ${deliveries} as "d" set "body" = ${body}, "due" = greatest(${at}, now()) from ${from} where ${waiting}`
  return [{ when: 'after', statement }]
}
