/** The event of a publication at a later time: a delivery that is due then, and follows the entry until then. */
import { type Sql, sql } from '@octavo/core'
import { laterChanges } from '@octavo/core/internal'
import {
  type ContentType,
  param,
  type ScalarAttribute,
  type StatementEvent,
  type WriteStatement,
} from '@octavo/core/plugin'
import { type Deliveries, deliveryOf } from './outbox.ts'

interface PublicationParts {
  readonly table: Deliveries
  readonly type: ContentType
  readonly written: Sql
  /** An expression over the row `t` of the entry. */
  readonly body: Sql
  /** The attribute with the time. */
  readonly at: ScalarAttribute
}

const entryOf = ({ uid }: ContentType): Sql => sql`${param(`${uid} `, 'text')} || "w"."id"`

/** Adds the deliveries of an update that is one of {@link laterChanges}, and of a create with a time in the future. */
export function laterPublication(
  { table, type, written, body, at }: PublicationParts,
  event: string,
  webhooks: readonly string[],
): WriteStatement {
  const from = sql`${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id" and ${isOneOf(['created', ...laterChanges])}`
  const later = { due: sql`"t".${sql.id(at.column)}`, entry: entryOf(type) }
  return { when: 'after', statement: deliveryOf(table, event, webhooks, { from, body, later }) }
}

const isOneOf = (changes: readonly string[]): Sql => sql`"w"."change" in (${sql.join(changes.map(sql.lit))})`

/**
 * Changes the pending deliveries together with the entry. A draft and an entry that is gone are not published, and one that is published now or at
 * another time has other deliveries.
 */
export function followPublication(
  { table, type, written, body, at }: PublicationParts,
  { action, input }: StatementEvent,
): readonly WriteStatement[] {
  if (action === 'create') return []
  const given = input[at.name]
  const deliveries = sql.id(table.table)
  const waiting = sql`"d"."entry" = ${entryOf(type)} and "d"."state" = 'pending' and "d"."attempts" = 0`
  const isGone = action === 'delete' || given === null
  const isReplaced = isGone ? sql`` : sql` and ${isOneOf(['published', ...laterChanges])}`
  const remove = sql`delete from ${deliveries} as "d" using ${written} as "w" where ${waiting}${isReplaced}`
  const from = sql`${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id"`
  const change = sql`update ${deliveries} as "d" set "body" = ${body} from ${from} where ${waiting}`
  const statements = isGone ? [remove] : given === undefined ? [change] : [remove, change]
  return statements.map((statement) => ({ when: 'after', statement }))
}
