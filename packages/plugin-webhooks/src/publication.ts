/** The event of a publication at a later time: a delivery that is due then, and follows the entry until then. */
import { type Sql, sql } from '@octavo/core'
import { type ContentType, param, type StatementEvent, type WriteStatement } from '@octavo/core/plugin'
import { type Deliveries, deliveryOf } from './outbox.ts'

interface PublicationParts {
  readonly table: Deliveries
  readonly type: ContentType
  readonly written: Sql
  /** Expressions over the row `t` of the entry. */
  readonly body: Sql
  readonly at: Sql
}

const entryOf = ({ uid }: ContentType): Sql => sql`${param(`${uid} `, 'text')} || "w"."id"`

/** The updates with a time in the future, as `plugin-draft-publish` names them. */
const laterChanges = ['scheduled', 'postponed']

/** Whether a write may be a publication at a later time. */
export function mayBeLater({ action, changes, input }: StatementEvent, now: Date): boolean {
  if (action !== 'create') return changes.some((change) => laterChanges.includes(change))
  const { publishedAt } = input
  // Times in other forms are left to the database.
  const isKnown = typeof publishedAt === 'string' && publishedAt.endsWith('Z')
  return publishedAt != null && !(isKnown && Date.parse(publishedAt) <= now.getTime())
}

/** Adds the deliveries of an update that is one of {@link laterChanges}, and of a create with a time in the future. */
export function laterPublication(
  { table, type, written, body, at }: PublicationParts,
  event: string,
  webhooks: readonly string[],
): WriteStatement {
  const isLater = sql`(${isOneOf(laterChanges)} or "w"."change" = 'created' and ${at} > now())`
  const from = sql`${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id" and ${isLater}`
  const later = { due: at, entry: entryOf(type) }
  return { when: 'after', statement: deliveryOf(table, event, webhooks, { from, body, later }) }
}

const isOneOf = (changes: readonly string[]): Sql => sql`"w"."change" in (${sql.join(changes.map(sql.lit))})`

/**
 * Changes the deliveries that nobody has begun with the entry. A draft and an entry that is gone are not published, and one that is published now or at
 * another time has other deliveries.
 */
export function followPublication(
  { table, type, written, body }: PublicationParts,
  { action, input: { publishedAt } }: StatementEvent,
): readonly WriteStatement[] {
  if (action === 'create') return []
  const deliveries = sql.id(table.table)
  const waiting = sql`"d"."entry" = ${entryOf(type)} and "d"."state" = 'pending' and "d"."attempts" = 0`
  const isGone = action === 'delete' || publishedAt === null
  const isReplaced = isGone ? sql`` : sql` and ${isOneOf(['published', ...laterChanges])}`
  const remove = sql`delete from ${deliveries} as "d" using ${written} as "w" where ${waiting}${isReplaced}`
  const from = sql`${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id"`
  const change = sql`update ${deliveries} as "d" set "body" = ${body} from ${from} where ${waiting}`
  const statements = isGone ? [remove] : publishedAt === undefined ? [change] : [remove, change]
  return statements.map((statement) => ({ when: 'after', statement }))
}
