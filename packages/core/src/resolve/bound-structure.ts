/**
 * The bounds on the shape of a statement: the tables that it reads and the comparisons that it makes. They are the same for every
 * caller and every value, and small enough that PostgreSQL plans any statement within them in some milliseconds.
 */
import type { ComponentAttribute, RelationAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import {
  type Condition,
  nameOf,
  type OrderTerm,
  type PlanChild,
  type PlanNode,
  type QueryPlan,
} from '../plan/plan.ts'
import { nodesOf } from '../plan/walk.ts'
import { deepestList, listsWithinLists, tablesOf } from './lists.ts'

/** The size of a part of a statement. */
interface Size {
  readonly tables: number
  readonly comparisons: number
}

/** A part of a query, by the place of its longest path: `filters[author][articles]`, `sort=author.name`, `populate[author]`. */
interface Part extends Size {
  readonly at: string
}

/** @throws ValidationError `query/too-complex` that names the largest part */
export function boundStructure(plan: QueryPlan, limits: Limits): void {
  const { root } = plan
  const lists = listsWithinLists(root)
  if (lists > limits.listLevels)
    throw problem('query/too-complex', {
      at: deepestList(root),
      found: lists,
      unit: 'populated lists within each other',
      limit: limits.listLevels,
    })
  const parts = partsOf(plan)
  for (const [name, unit] of units) {
    const found = parts.reduce((sum, part) => sum + part[name], 0)
    if (found <= limits[name]) continue
    const { at } = parts.reduce((most, part) => (part[name] > most[name] ? part : most))
    throw problem('query/too-complex', { at, found, unit, limit: limits[name] })
  }
}

const units = [
  ['tables', 'tables to read'],
  ['comparisons', 'comparisons'],
] as const

function partsOf(plan: QueryPlan): readonly Part[] {
  const { root } = plan
  const conditions = root.where?.kind === 'and' ? root.where.children : root.where ? [root.where] : []
  const copies = copiesOf(plan)
  return [
    { at: 'pagination', ...none },
    ...conditions.map((condition) => ({
      at: `filters${longestPath(condition)}`,
      ...times(sizeOf(condition), copies),
    })),
    ...root.order.map((term) => ({
      at: `sort=${[...term.path.map(({ attribute }) => attribute.name), term.attribute.name].join('.')}`,
      ...orderSize(term),
    })),
    ...root.children.map((child) => ({ at: longestPopulate(child), ...childSize(child) })),
  ]
}

/** The number of times that a statement has the conditions of its list: in the list, its total, and each range of a cursor. */
function copiesOf(plan: QueryPlan): number {
  if (plan.kind !== 'list') return 1
  const { paging } = plan
  const ranges = paging.kind === 'cursor' && paging.keyset.position ? 2 * paging.keyset.order.length : 1
  return ranges + (paging.withCount ? 1 : 0)
}

const none: Size = { tables: 0, comparisons: 0 }
const table: Size = { tables: 1, comparisons: 0 }
const comparison: Size = { tables: 0, comparisons: 1 }
const times = ({ tables, comparisons }: Size, by: number): Size => ({
  tables: tables * by,
  comparisons: comparisons * by,
})
const sum = (sizes: readonly Size[]): Size => ({
  tables: sizes.reduce((all, { tables }) => all + tables, 0),
  comparisons: sizes.reduce((all, { comparisons }) => all + comparisons, 0),
})

const tableOf = (attribute: RelationAttribute | ComponentAttribute): Size => times(table, tablesOf(attribute))

function sizeOf(condition: Condition | undefined): Size {
  switch (condition?.kind) {
    case 'and':
    case 'or':
      return sum(condition.children.map(sizeOf))
    case 'not':
      return sizeOf(condition.child)
    case 'related': {
      const { attribute, within, child, orNone } = condition
      const entries = sum([tableOf(attribute), sizeOf(within)])
      return sum([times(entries, orNone ? 2 : 1), sizeOf(child)])
    }
    case 'compare':
    case 'added':
    case 'matches':
      return comparison
    case 'constant':
    case undefined:
      return none
  }
}

const orderSize = ({ path }: OrderTerm): Size =>
  sum(path.map(({ attribute, within }) => sum([tableOf(attribute), sizeOf(within)])))

function nodeSize(node: PlanNode): Size {
  return sum([sizeOf(node.where), ...node.order.map(orderSize), ...node.children.map(childSize)])
}

function childSize(child: PlanChild): Size {
  if (child.kind === 'zone') return sum(child.nodes.map((node) => sum([table, nodeSize(node)])))
  // The table of links and that of the entries, for each content-type.
  if (child.kind === 'uses')
    return sum(child.owners.map(({ node }) => sum([times(table, 2), nodeSize(node)])))
  return sum([tableOf(child.attribute), nodeSize(child.node)])
}

/** The longest path of relations in a condition, in brackets. */
function longestPath(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.children.map(longestPath).reduce(longer, '')
    case 'not':
      return longestPath(condition.child)
    case 'related':
      return `[${condition.attribute.name}]${longestPath(condition.child)}`
    case 'compare':
    case 'added':
      return `[${condition.attribute.name}]`
    case 'matches':
    case 'constant':
      return ''
  }
}

function longestPopulate(child: PlanChild): string {
  const below = nodesOf(child)
    .flatMap(({ children }) => children.map(longestPopulate))
    .reduce(longer, '')
  return `populate[${nameOf(child)}]${below === '' ? '' : below.replace('populate', '[populate]')}`
}

const depth = (at: string): number => at.split('[').length
const longer = (one: string, other: string): string => (depth(other) > depth(one) ? other : one)
