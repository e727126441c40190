import { sql } from 'kysely'
import type { CursorPaging, OffsetPaging, PlanNode, QueryPlan } from '../resolve/plan.ts'
import { Aliases, type Compiled, column, join, type Sql, table, toStatement, where } from '../sql/sql.ts'
import { compileCondition } from './condition.ts'
import { limit, orderBy, selectList } from './entry.ts'
import { keysetRows, positionOf, walk } from './keyset.ts'
import { compileOrder } from './order.ts'

/**
 * One statement for a plan, whatever its depth. Pure: the same plan shape always yields the same text.
 *
 * Its rows, as arrays:
 * - `one`: `[entry as JSON text]`, or no row; `all`: such a row for each entry
 * - `list`: one row `[entries as JSON texts with commas between, total]`; null when there are none, and no total when
 *   it is not asked. One text for the page is quicker to send and to receive than a row for each entry.
 * - a list by cursor: `[entries, positions as JSON texts with commas between, number of rows found, total]`
 * - `count`: `[total]`
 */
export function compilePlan(plan: QueryPlan): Compiled {
  const aliases = new Aliases()
  switch (plan.kind) {
    case 'one':
    case 'all':
      return toStatement(entries(plan.root, aliases))
    case 'count':
      return toStatement(total(plan.root, aliases))
    case 'list':
      return toStatement(
        plan.paging.kind === 'cursor'
          ? cursorPage(plan.root, plan.paging, plan.countUpTo, aliases)
          : offsetPage(plan.root, plan.paging, plan.countUpTo, aliases),
      )
  }
}

/** Counts only when the page does not prove the total: one that is not full, and not empty behind the end, does. */
function offsetPage(
  root: PlanNode,
  { withCount }: OffsetPaging,
  countUpTo: number | undefined,
  aliases: Aliases,
): Sql {
  const row = aliases.next()
  const entry = column(row, 'entry')
  const from = sql`from (${entries(root, aliases)}) as ${sql.id(row)}`
  const { slice } = root
  if (!withCount || !slice) return sql`select string_agg(${entry}, ',') as "data" ${from}`
  const page = aliases.next()
  const found = column(page, 'found')
  const offset = sql`${slice.offset}::int8`
  const proven = sql`${found} < ${slice.limit}::int8 and (${found} > 0 or ${offset} = 0)`
  return sql`select ${column(page, 'data')}, case when ${proven} then ${offset} + ${found} else (${total(root, aliases, countUpTo)}) end as "total" from (select string_agg(${entry}, ',') as "data", count(*) as "found" ${from}) as ${sql.id(page)}`
}

/** The page is walked away from the cursor and answered in the order of the list; the row too many is left out. */
function cursorPage(
  root: PlanNode,
  { keyset, pageSize, withCount }: CursorPaging,
  countUpTo: number | undefined,
  aliases: Aliases,
): Sql {
  const page = aliases.next()
  const row = column(page, 'row')
  const rows = keysetRows(root, keyset, aliases)
  const alias = aliases.next()
  const walked = sql`row_number() over (order by ${join(walk(keyset, alias), ', ')})`
  const from = sql`select ${entryText(root, alias, aliases)} as "entry", ${positionOf(keyset, alias)}::text as "position", ${walked} as "row" from (${rows}) as ${sql.id(alias)}`
  const inOrder = keyset.backward ? sql`${row} desc` : row
  const texts = (name: string): Sql =>
    sql`string_agg(${column(page, name)}, ',' order by ${inOrder}) filter (where ${row} <= ${pageSize}::int8)`
  const counted = withCount ? sql`, (${total(root, aliases, countUpTo)}) as "total"` : sql``
  return sql`select ${texts('entry')} as "data", ${texts('position')} as "positions", count(*) as "found"${counted} from (${from}) as ${sql.id(page)}`
}

/** @param upTo The most that are counted; when there are more, the total is null. */
function total(root: PlanNode, aliases: Aliases, upTo?: number): Sql {
  const rows = matching(root, aliases)
  if (upTo === undefined) return sql`select count(*) as "total" ${rows}`
  const more = sql`${upTo + 1}::int8`
  return sql`select nullif(count(*), ${more}) as "total" from (select ${rows} limit ${more}) as ${sql.id(aliases.next())}`
}

function matching(root: PlanNode, aliases: Aliases): Sql {
  const alias = aliases.next()
  const condition = root.where && compileCondition(root.where, root.model, alias, aliases)
  return sql`from ${table(root.model.table, alias)}${where([condition])}`
}

/** Its one row is `[plan as JSON]`, which says how many rows PostgreSQL expects to match; nothing is read for it. */
export const compileEstimate = ({ root }: QueryPlan): Compiled =>
  toStatement(sql`explain (format json) select ${matching(root, new Aliases())}`)

/**
 * The page is cut first and its JSON made after, so that the entries skipped by an offset cost no subqueries.
 * PostgreSQL keeps the order of the inner query: nothing above it sorts, joins or runs in parallel, and an aggregate
 * takes its rows as they come.
 */
function entries(root: PlanNode, aliases: Aliases): Sql {
  const inner = aliases.next()
  const condition = root.where && compileCondition(root.where, root.model, inner, aliases)
  const order = root.order.map((term) => compileOrder(term, root.model, inner, aliases))
  const rows = sql`select ${sql.id(inner)}.* from ${table(root.model.table, inner)}${where([condition])}${orderBy(order)}${limit(root.slice)}`
  const alias = aliases.next()
  return sql`select ${entryText(root, alias, aliases)} as "entry" from (${rows}) as ${sql.id(alias)}`
}

/** The JSON of a row. */
function entryText(root: PlanNode, alias: string, aliases: Aliases): Sql {
  const entry = sql.id(aliases.next())
  const fields = selectList(root, alias, aliases)
  return sql`(select row_to_json(${entry}) from (select ${fields}) as ${entry})::text`
}
