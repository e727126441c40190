import type { Model } from '../content-type/model.ts'
import { searchedAttributes } from '../content-type/searched.ts'
import { operators } from '../operator/table.ts'
import { assertNever } from '../plan/condition.ts'
import type { Condition, PlanNode } from '../plan/plan.ts'

/**
 * Whether a plan searches in texts with an index. For a rare phrase the index is best, for a frequent one the order
 * of the list; one plan for both would take seconds for one of them.
 */
export const searchesTexts = (node: PlanNode): boolean =>
  (node.where !== undefined && searches(node.where, node.model)) ||
  node.children.some((child) =>
    child.kind === 'zone' ? child.nodes.some(searchesTexts) : searchesTexts(child.node),
  )

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
