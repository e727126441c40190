/** The constructors of plans, of their children and of the paging of lists; those of conditions are in `condition.ts`. */
import type { ComponentAttribute, RelationAttribute, ZoneAttribute } from '../content-type/model.ts'
import type { CursorPaging, OffsetPaging, Paging, PlanChild, PlanKind, PlanNode } from './plan.ts'

/** A list of entries. @param countUpTo Larger totals are estimated; `undefined`: every total is counted. */
export const listPlan = (root: PlanNode, paging: Paging, countUpTo: number | undefined): PlanKind => ({
  kind: 'list',
  root,
  paging,
  countUpTo,
})

/** The first entry that matches. @param narrowed For an entry by its id: whether plugins narrow the entries. Default true. */
export const onePlan = (root: PlanNode, narrowed = true): PlanKind => ({ kind: 'one', root, narrowed })

/** All entries that match, without paging. */
export const allPlan = (root: PlanNode): PlanKind => ({ kind: 'all', root })

/** The number of entries that match. */
export const countPlan = (root: PlanNode): PlanKind => ({ kind: 'count', root })

/** A populated relation. */
export const relationChild = (attribute: RelationAttribute, node: PlanNode): PlanChild => ({
  kind: 'relation',
  attribute,
  node,
})

/** The number of related entries or components, in place of them. */
export const countChild = (attribute: RelationAttribute | ComponentAttribute, node: PlanNode): PlanChild => ({
  kind: 'count',
  attribute,
  node,
})

/** A populated component. */
export const componentChild = (attribute: ComponentAttribute, node: PlanNode): PlanChild => ({
  kind: 'component',
  attribute,
  node,
})

/** A populated dynamic zone. @param nodes One for each component that it may have. */
export const zoneChild = (attribute: ZoneAttribute, nodes: readonly PlanNode[]): PlanChild => ({
  kind: 'zone',
  attribute,
  nodes,
})

/** A page by its number, which starts at 1. */
export const pagePaging = (page: number, pageSize: number, withCount: boolean): OffsetPaging => ({
  kind: 'page',
  page,
  pageSize,
  withCount,
})

/** A page by the number of entries before it. */
export const offsetPaging = (start: number, limit: number, withCount: boolean): OffsetPaging => ({
  kind: 'offset',
  start,
  limit,
  withCount,
})

/** A page by a position in the list. */
export const cursorPaging = (paging: Omit<CursorPaging, 'kind'>): CursorPaging => ({
  kind: 'cursor',
  ...paging,
})
