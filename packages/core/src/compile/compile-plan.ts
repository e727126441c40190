import { sql } from 'kysely'
import type { PlanNode, QueryPlan } from '../resolve/plan.ts'
import { compileCondition } from './condition.ts'
import { limit, orderBy, selectList } from './entry.ts'
import { compileOrder } from './order.ts'
import { Aliases, type Compiled, column, type Sql, table, toStatement, where } from './sql.ts'

/**
 * One statement for a plan, whatever its depth. Pure: the same plan shape always yields the same text.
 *
 * Its rows, as arrays:
 * - `one`: `[entry as JSON text]`, or no row
 * - `list`: one row `[entries as JSON texts with commas between, total]`; null when there are none, and no total when
 *   it is not asked. One text for the page is quicker to send and to receive than a row for each entry.
 * - `count`: `[total]`
 */
export function compilePlan(plan: QueryPlan): Compiled {
  const aliases = new Aliases()
  switch (plan.kind) {
    case 'one':
      return toStatement(entries(plan.root, aliases))
    case 'count':
      return toStatement(total(plan.root, aliases))
    case 'list': {
      const page = aliases.next()
      const entry = column(page, 'entry')
      const list = sql`select string_agg(${entry}, ',') as "data" from (${entries(plan.root, aliases)}) as ${sql.id(page)}`
      if (!plan.paging.withCount) return toStatement(list)
      return toStatement(sql`select (${list}) as "data", (${total(plan.root, aliases)}) as "total"`)
    }
  }
}

function total(root: PlanNode, aliases: Aliases): Sql {
  const alias = aliases.next()
  const condition = root.where && compileCondition(root.where, root.model, alias, aliases)
  return sql`select count(*) as "total" from ${table(root.model.table, alias)}${where([condition])}`
}

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
  const entry = aliases.next()
  const fields = selectList(root, alias, aliases)
  return sql`select (select row_to_json(${sql.id(entry)}) from (select ${fields}) as ${sql.id(entry)})::text as "entry" from (${rows}) as ${sql.id(alias)}`
}
