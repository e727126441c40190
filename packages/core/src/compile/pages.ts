import { type Aliases, type Sql, sql } from '@octavo/database'
import type { Model } from '../content-type/model.ts'
import type { Condition, PlanNode, QueryPlan } from '../plan/plan.ts'
import { every, nodesBelow } from '../plan/walk.ts'

/**
 * The limits of first pages that are literals: the usual ones of user interfaces, and the defaults. They are few, because each makes a statement of
 * its own.
 */
const usualLimits: ReadonlySet<number> = new Set([
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 30, 32, 36, 40, 48, 50, 60, 64, 75, 80, 96, 100,
])

/**
 * Whether the usual pages of a plan are literals in its statement.
 *
 * PostgreSQL caches a generic plan of a prepared statement only when it estimates that plan to cost no more than custom ones.
 * With a parameter as the limit it estimates a tenth of the table, so it plans at every execution, which for a populated
 * list takes longer than running it. With a literal it caches the plan.
 *
 * A generic plan does not depend on values. A search, or a filter by a rare or frequent value, may need a plan for each
 * value, so the pages of such statements remain parameters.
 */
export const hasLiteralPages = ({ root }: QueryPlan): boolean => nodeHas(root)

function nodeHas(node: PlanNode): boolean {
  return (
    isIndifferent(node.where, node.model) &&
    node.order.every(({ path }) => path.every(({ within, target }) => isIndifferent(within, target))) &&
    nodesBelow(node).every(nodeHas)
  )
}

/**
 * Whether one plan is as good for any value of a condition: it compares with nothing, with a key, or with a value of a
 * plugin, such as the locale.
 */
const isIndifferent = (condition: Condition | undefined, model: Model): boolean =>
  condition === undefined ||
  every(condition, model, (one) => {
    if (one.kind === 'matches' || one.kind === 'added') return false
    if (one.kind !== 'compare') return true
    const { attribute, operator, operands } = one
    const isKey =
      (operator === '$eq' || operator === '$in') && (attribute.definition.unique || attribute.name === 'id')
    return isKey || operands.every(({ kind }) => kind !== 'value')
  })

/** ` limit … offset …` of a list; empty for a whole one. */
export function limit(slice: PlanNode['slice'], aliases: Aliases): Sql {
  if (!slice) return sql``
  if (slice.limit === undefined) return sql` offset ${slice.offset}::int8`
  const [upTo, from] = boundsOf({ offset: slice.offset, limit: slice.limit }, aliases)
  return sql` limit ${upTo} offset ${from}`
}

/** The limit and the offset of a page: literals of a usual page, otherwise parameters, which all other pages share. */
export function boundsOf(
  slice: { readonly offset: number; readonly limit: number },
  { literalPages }: Aliases,
): readonly [limit: Sql, offset: Sql] {
  if (literalPages && slice.offset === 0 && usualLimits.has(slice.limit))
    return [sql.raw(String(slice.limit)), sql.raw('0')]
  return [sql`${slice.limit}::int8`, sql`${slice.offset}::int8`]
}
