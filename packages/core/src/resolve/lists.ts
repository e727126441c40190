/** The lists of related entries that a plan goes over. Their lengths multiply where they are within each other. */
import type { ComponentAttribute, RelationAttribute } from '../content-type/model.ts'
import {
  type Condition,
  nameOf,
  type OrderTerm,
  type PlanChild,
  type PlanNode,
  type QueryPlan,
} from '../plan/plan.ts'
import { nodesOf, someNode } from '../plan/walk.ts'

export const isMany = (attribute: RelationAttribute | ComponentAttribute): boolean =>
  attribute.kind === 'component' ? attribute.repeatable : attribute.many

/** The tables of the related entries: some relations are stored in a table of their own. */
export const tablesOf = (attribute: RelationAttribute | ComponentAttribute): number =>
  attribute.kind === 'relation' && 'table' in attribute.storage ? 2 : 1

export function isList(child: PlanChild): boolean {
  switch (child.kind) {
    case 'zone':
    case 'uses':
      return true
    case 'count':
      return false
    case 'relation':
      return child.attribute.many
    case 'component':
      return child.attribute.repeatable
  }
}

/** The number of populated lists that an item of the innermost list is in. */
export const listsWithinLists = ({ children }: PlanNode): number =>
  children.reduce((most, child) => {
    const below = nodesOf(child).reduce((deepest, node) => Math.max(deepest, listsWithinLists(node)), 0)
    return Math.max(most, below + (isList(child) ? 1 : 0))
  }, 0)

/** The place of the innermost list: `populate[author][populate][articles]`; `pagination` without populated lists. */
export function deepestList(root: PlanNode): string {
  let found = { lists: 0, at: 'pagination' }
  const visit = (node: PlanNode, at: string, lists: number): void => {
    for (const child of node.children) {
      const below = { at: `${at}[${nameOf(child)}]`, lists: lists + (isList(child) ? 1 : 0) }
      if (below.lists > found.lists) found = below
      for (const inner of nodesOf(child)) visit(inner, `${below.at}[populate]`, below.lists)
    }
  }
  visit(root, 'populate', 0)
  return found.at
}

/** Whether a plan goes over lists within lists: to populate them, to filter or to sort by them. */
export const isHeavy = ({ root }: QueryPlan): boolean =>
  listsWithinLists(root) > 1 ||
  someNode(
    root,
    ({ where, order }) => listsOfCondition(where) > 1 || order.some((term) => listsOfTerm(term) > 1),
  )

const listsOfTerm = ({ path }: OrderTerm): number => path.filter(({ attribute }) => isMany(attribute)).length

function listsOfCondition(condition: Condition | undefined): number {
  switch (condition?.kind) {
    case 'and':
    case 'or':
      return Math.max(0, ...condition.children.map(listsOfCondition))
    case 'not':
      return listsOfCondition(condition.child)
    case 'related':
      return (isMany(condition.attribute) ? 1 : 0) + listsOfCondition(condition.child)
    default:
      return 0
  }
}
