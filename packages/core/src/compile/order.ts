import { type Aliases, type Sql, sql, where } from '@octavo/database'
import type { Model } from '../content-type/model.ts'
import type { OrderTerm } from '../plan/plan.ts'
import { compileCondition } from './condition.ts'
import { relatedRows } from './from.ts'
import { valueSql } from './value.ts'

/** A term of `order by` for rows of `model` with this alias. Nulls are sorted by PostgreSQL's default. */
export function compileOrder(term: OrderTerm, model: Model, alias: string, aliases: Aliases): Sql {
  const direction = term.direction === 'desc' ? sql` desc` : sql``
  return sql`${orderValue(term, 0, model, alias, aliases)}${direction}`
}

/**
 * The value to order by. Through a relation it is a subquery for the least (ascending) or greatest (descending)
 * related value, so that an entry is returned once, whatever the number of related entries.
 */
function orderValue(term: OrderTerm, depth: number, model: Model, alias: string, aliases: Aliases): Sql {
  const step = term.path[depth]
  if (!step) return valueSql(term.attribute, alias)
  const target = aliases.next()
  const related = relatedRows(step.attribute, model, alias, step.target, target, aliases)
  const within = step.within && compileCondition(step.within, step.target, target, aliases)
  const value = orderValue(term, depth + 1, step.target, target, aliases)
  const direction = term.direction === 'desc' ? sql`desc` : sql`asc`
  return sql`(select ${value} from ${related.from}${where([related.on, ...related.inTime, within])} order by 1 ${direction} nulls last limit 1)`
}
