/**
 * The ways through a condition and through the nodes of a plan. A question about the parts of a condition is asked with these; only
 * what has an answer of its own for each kind (the SQL, the description, the opposite) is a `switch`.
 */
import type { Model } from '../content-type/model.ts'
import { assertNever } from './condition.ts'
import type { Condition, PlanChild, PlanNode } from './plan.ts'

/** The conditions that a condition is made of: those of a group, for a relation, the condition that narrows it and the condition on it. */
function children(condition: Condition): readonly Condition[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.children
    case 'not':
      return [condition.child]
    case 'related':
      return condition.within ? [condition.within, condition.child] : [condition.child]
    case 'constant':
    case 'compare':
    case 'matches':
    case 'added':
      return []
    default:
      return assertNever(condition)
  }
}

type Test = (condition: Condition, model: Model) => boolean

/**
 * Whether the condition itself, or a condition at any depth of it, passes the test. The test gets the model whose rows a condition is
 * on: below a relation it is the model that the relation leads to.
 */
export function some(condition: Condition, model: Model, test: Test): boolean {
  const target = condition.kind === 'related' ? condition.target : model
  return test(condition, model) || children(condition).some((child) => some(child, target, test))
}

/** Whether the condition itself and the conditions at all depths of it pass the test. */
export const every = (condition: Condition, model: Model, test: Test): boolean =>
  !some(condition, model, (one, on) => !test(one, on))

/** Visits the condition itself and the conditions at all depths of it, each with the model whose rows it is on. */
export function each(
  condition: Condition,
  model: Model,
  visit: (condition: Condition, model: Model) => void,
): void {
  some(condition, model, (one, on) => {
    visit(one, on)
    return false
  })
}

/** Whether a condition depends on rows of other tables: through a relation, or by the SQL of a plugin's operator. */
export const reachesOut = (condition: Condition, model: Model): boolean =>
  some(
    condition,
    model,
    (one) => one.kind === 'related' || (one.kind === 'added' && one.operator.reads?.length !== 0),
  )

/** The nodes of a populated attribute: several for a dynamic zone and for a list of uses. */
export function nodesOf(child: PlanChild): readonly PlanNode[] {
  if (child.kind === 'zone') return child.nodes
  return child.kind === 'uses' ? child.owners.map(({ node }) => node) : [child.node]
}

/** The nodes right below a node. */
export const nodesBelow = (node: PlanNode): readonly PlanNode[] => node.children.flatMap(nodesOf)

/** Whether a node itself, or a node at any depth below it, passes the test. */
export const someNode = (node: PlanNode, test: (node: PlanNode) => boolean): boolean =>
  test(node) || nodesBelow(node).some((below) => someNode(below, test))
