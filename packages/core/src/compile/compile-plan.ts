import {
  Aliases,
  type Compiled,
  column,
  join,
  type Sql,
  type StatementBounds,
  sql,
  table,
  toStatement,
  where,
} from '@octavo/database'
import type { AnswerLayout } from '../plan/layout.ts'
import type { CursorPaging, OffsetPaging, PlanNode, QueryPlan } from '../plan/plan.ts'
import { compileListCondition } from './condition.ts'
import { entryJson, orderBy } from './entry.ts'
import { inTime, listOf } from './guards.ts'
import { keysetRows, positionOf, walk } from './keyset.ts'
import { compileOrder } from './order.ts'
import { boundsOf, hasLiteralPages, limit } from './pages.ts'
import { keptTotal } from './total.ts'

/**
 * Compiles a plan of any depth to one statement. Pure: plans of one shape always have one text.
 *
 * Its rows, as arrays:
 * - `one`: `[entry as JSON text]`, or no row; `all`: one such row per entry
 * - `list`: one row `[comma-separated entries as JSON text, total]`; null without entries, and no total unless
 *   requested. One text per page is faster to send and receive than one row per entry.
 * - a list by cursor: `[entries, comma-separated positions as JSON text, number of rows found, total]`
 * - `count`: `[total]`
 *
 * @param bounds Default: the statement has none of its own.
 */
export function compilePlan(plan: QueryPlan, bounds?: StatementBounds): Compiled {
  const aliases = new Aliases({ literalPages: hasLiteralPages(plan), bounds })
  switch (plan.kind) {
    case 'one':
    case 'all':
      return toStatement(entries(plan.root, aliases, plan.layout))
    case 'count':
      return toStatement(total(plan.root, aliases))
    case 'list':
      return toStatement(
        plan.paging.kind === 'cursor'
          ? cursorPage(plan.root, plan.paging, plan.countUpTo, aliases, plan.layout)
          : offsetPage(plan.root, plan.paging, plan.countUpTo, aliases, plan.layout),
      )
  }
}

/**
 * The JSON of an entry from its row `alias`, whose own values are all that the answer has; `undefined` when it has others. An entry
 * is answered so by the statement that writes it.
 */
export function compileOwnRow({ kind, root, layout }: QueryPlan, alias: string): Sql | undefined {
  const isOwn =
    root.children.length === 0 &&
    (root.meta ?? []).length === 0 &&
    root.select.every((attribute) => attribute.kind === 'scalar')
  return kind === 'one' && isOwn ? entryJson(root, alias, new Aliases(), layout) : undefined
}

/** Counts only when the page does not determine the total, as a page that is neither full nor empty does. */
function offsetPage(
  root: PlanNode,
  { withCount }: OffsetPaging,
  countUpTo: number | undefined,
  aliases: Aliases,
  layout: AnswerLayout | undefined,
): Sql {
  const row = aliases.next()
  const entry = column(row, 'entry')
  // The text of an entry has several uses, and is computed once: PostgreSQL pulls up no subquery with a limit or an offset.
  const rows = isFirstPage(root)
    ? firstEntries(root, aliases, layout)
    : sql`${entries(root, aliases, layout)} offset 0`
  const from = sql`from (${rows}) as ${sql.id(row)}`
  const data = sql`${listOf(entry, aliases)} as "data"`
  const { slice } = root
  if (!withCount || slice?.limit === undefined) return sql`select ${data} ${from}`
  const page = aliases.next()
  const found = column(page, 'found')
  const [size, offset] = boundsOf({ ...slice, limit: slice.limit }, aliases)
  const proven = sql`${found} < ${size} and (${found} > 0 or ${offset} = 0)`
  return sql`select ${column(page, 'data')}, case when ${proven} then ${offset} + ${found} else (${total(root, aliases, countUpTo)}) end as "total" from (select ${data}, count(*) as "found" ${from}) as ${sql.id(page)}`
}

/** Reads the page away from the cursor and returns it in list order, without the extra row. */
function cursorPage(
  root: PlanNode,
  { keyset, pageSize, withCount }: CursorPaging,
  countUpTo: number | undefined,
  aliases: Aliases,
  layout: AnswerLayout | undefined,
): Sql {
  const page = aliases.next()
  const row = column(page, 'row')
  const rows = keysetRows(root, keyset, aliases)
  const alias = aliases.next()
  const walked = sql`row_number() over (order by ${join(walk(keyset, alias), ', ')})`
  const from = sql`select ${entryJson(root, alias, aliases, layout)} as "entry", ${positionOf(keyset, alias)}::text as "position", ${walked} as "row" from (${rows}) as ${sql.id(alias)}`
  const inOrder = keyset.backward ? sql`${row} desc` : row
  const texts = (name: string): Sql =>
    sql`string_agg(${column(page, name)}, ',' order by ${inOrder}) filter (where ${row} <= ${pageSize}::int8)`
  const counted = withCount ? sql`, (${total(root, aliases, countUpTo)}) as "total"` : sql``
  const data = listOf(column(page, 'entry'), aliases, false, texts('entry'))
  return sql`select ${data} as "data", ${texts('position')} as "positions", count(*) as "found"${counted} from (${from}) as ${sql.id(page)}`
}

/** @param upTo Maximum to count; the total is null when there are more. A kept total has no maximum. */
function total(root: PlanNode, aliases: Aliases, upTo?: number): Sql {
  const kept = keptTotal(root)
  if (kept) {
    const { later } = kept
    const less = later ? sql` - (select count(*) ${matching({ ...root, where: later }, aliases)})` : sql``
    return sql`select (${kept.total})${less} as "total"`
  }
  const rows = matching(root, aliases)
  if (upTo === undefined) return sql`select count(*) as "total" ${rows}`
  const more = sql`${upTo + 1}::int8`
  return sql`select nullif(count(*), ${more}) as "total" from (select ${rows} limit ${more}) as ${sql.id(aliases.next())}`
}

function matching(root: PlanNode, aliases: Aliases): Sql {
  const alias = aliases.next()
  const condition = root.where && compileListCondition(root.where, root.model, alias, aliases)
  return sql`from ${table(root.model.table, alias)}${where([inTime(column(alias, root.model.id.column), aliases), condition])}`
}

/** An `explain` whose one row is `[plan as JSON]`, with the number of rows that PostgreSQL expects; it reads no rows. */
export const compileEstimate = ({ root }: QueryPlan): Compiled =>
  toStatement(sql`explain (format json) select ${matching(root, new Aliases())}`)

const isFirstPage = ({ slice }: PlanNode): boolean => slice?.limit !== undefined && slice.offset === 0

/**
 * The entries of a page that skips none, in one query: PostgreSQL builds no expensive value before it sorts and limits. Another query
 * around it would be a step more for each row.
 */
function firstEntries(root: PlanNode, aliases: Aliases, layout: AnswerLayout | undefined): Sql {
  const alias = aliases.next()
  const rows = rowsOf(root, alias, aliases)
  return sql`select ${entryJson(root, alias, aliases, layout)} as "entry" ${rows}`
}

/**
 * Selects the page first and builds its JSON afterwards, so that skipped entries need no subqueries.
 * PostgreSQL preserves the order of the inner query: nothing above it sorts, joins or runs in parallel, and an aggregate
 * reads its rows in that order.
 */
function entries(root: PlanNode, aliases: Aliases, layout: AnswerLayout | undefined): Sql {
  const inner = aliases.next()
  const rows = rowsOf(root, inner, aliases)
  const alias = aliases.next()
  return sql`select ${entryJson(root, alias, aliases, layout)} as "entry" from (select ${sql.id(inner)}.* ${rows}) as ${sql.id(alias)}`
}

function rowsOf(root: PlanNode, alias: string, aliases: Aliases): Sql {
  const condition = root.where && compileListCondition(root.where, root.model, alias, aliases)
  const order = root.order.map((term) => compileOrder(term, root.model, alias, aliases))
  return sql`from ${table(root.model.table, alias)}${where([inTime(column(alias, root.model.id.column), aliases), condition])}${orderBy(order)}${limit(root.slice, aliases)}`
}
