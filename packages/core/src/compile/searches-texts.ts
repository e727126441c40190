import type { Model } from '../content-type/model.ts'
import { searchedAttributes } from '../content-type/searched.ts'
import { operators } from '../operator/table.ts'
import { assertNever } from '../plan/condition.ts'
import type { Condition, PlanChild, PlanNode } from '../plan/plan.ts'

/**
 * Whether a plan searches in texts with an index. For a rare phrase the index is best, for a frequent one the order
 * of the list; one plan for both would take seconds for one of them.
 */
export const searchesTexts = (node: PlanNode): boolean =>
  (node.where !== undefined && searches(node.where, node.model)) || node.children.some(childSearches)

const childSearches = (child: PlanChild): boolean =>
  child.kind === 'zone' ? child.nodes.some(searchesTexts) : searchesTexts(child.node)

/**
 * The table of a plan that searches nothing but the texts of its entries: while this table is small, one plan is as good for all
 * phrases. `undefined` where the best plan depends on other tables as well.
 */
export function searchedTable({ where, order, children, model }: PlanNode): string | undefined {
  const isOwn =
    where !== undefined &&
    !reachesOut(where) &&
    order.every(({ path }) => path.length === 0) &&
    !children.some(childSearches)
  return isOwn && searches(where, model) ? model.table : undefined
}

function reachesOut(condition: Condition): boolean {
  switch (condition.kind) {
    case 'constant':
    case 'compare':
    case 'matches':
      return false
    // A plugin's SQL may read any table.
    case 'added':
    case 'related':
      return true
    case 'and':
    case 'or':
      return condition.children.some(reachesOut)
    case 'not':
      return reachesOut(condition.child)
    default:
      return assertNever(condition)
  }
}

function searches(condition: Condition, model: Model): boolean {
  switch (condition.kind) {
    case 'constant':
    case 'added':
      return false
    case 'matches':
      return true
    case 'and':
    case 'or':
      return condition.children.some((child) => searches(child, model))
    case 'not':
      return searches(condition.child, model)
    case 'related':
      return searches(condition.child, condition.target)
    case 'compare': {
      const hasPattern = 'pattern' in operators[condition.operator]
      return (
        hasPattern &&
        (searchedAttributes(model)?.some((searched) => searched === condition.attribute) ?? false)
      )
    }
    default:
      return assertNever(condition)
  }
}
