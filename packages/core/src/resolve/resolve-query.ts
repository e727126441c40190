import { isWriteAction } from '../content-type/content-actions.ts'
import type { ContentType } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { ReadContext } from '../hooks/read-hooks.ts'
import type { RawQuery } from '../parse/raw.ts'
import { allOf, compare, written } from '../plan/condition.ts'
import { allPlan, countPlan, listPlan, onePlan } from '../plan/nodes.ts'
import type {
  Condition,
  Operand,
  OrderTerm,
  PlanKind,
  PlanNode,
  QueryPlan,
  RuntimeValue,
} from '../plan/plan.ts'
import { boundStructure } from './bound-structure.ts'
import { resolveCursor } from './cursor.ts'
import { resolveFields } from './fields.ts'
import { resolveFilters } from './filters.ts'
import { resolvePaging, sliceOf } from './paging.ts'
import { resolvePopulate } from './populate.ts'
import { type ResolveEnvironment, Scope } from './scope.ts'
import { resolveSearch } from './search.ts'
import { byId, resolveSort } from './sort.ts'
import { reportUnknownPlaces } from './unknown-places.ts'

/** The id in the path, bound when the statement runs, so that all entries of a type share one statement. */
export const entryId: RuntimeValue = Object.freeze({ name: 'entry.id' })

export interface ReadTarget {
  readonly type: ContentType
  /**
   * `byId`: the entry whose id is {@link entryId}; `first`: the entry of a single type; `single`: this entry, or all
   * entries when a plugin requests it (`query:single`); `written`: the entry that the message writes.
   */
  readonly kind: 'list' | 'byId' | 'written' | 'first' | 'single' | 'count'
}

/**
 * Resolves names: checks every field, relation, operator and value of a query against the registry
 * and the caller's rights. The only step that looks names up. Pure; the plan is frozen.
 *
 * @throws ValidationError that names the parameter; ForbiddenError when the caller may read nothing of the type.
 */
export function resolveQuery(
  raw: RawQuery,
  target: ReadTarget,
  environment: ResolveEnvironment,
  context: ReadContext,
): QueryPlan {
  const scope = Scope.root(environment, context, raw)
  const plan = planOf(raw, target, environment, context, scope)
  if (environment.unknownName) reportUnknownPlaces(raw.populate, [target.type], scope, 'root')
  const { named, narrowedAnywhere } = scope
  // The estimate of a total is of all rows.
  const counted = narrowedAnywhere && plan.kind === 'list' ? { ...plan, countUpTo: undefined } : plan
  const resolved: QueryPlan = Object.freeze({ ...counted, named, narrowedAnywhere })
  boundStructure(resolved, environment.limits)
  return resolved
}

function planOf(
  raw: RawQuery,
  target: ReadTarget,
  environment: ResolveEnvironment,
  context: ReadContext,
  scope: Scope,
): PlanKind {
  const model = target.type
  const narrowed = scope.narrow(model, 'root')
  if (narrowed === 'forbid') throw problem('entry/forbidden')

  // For one entry by its id, filters and search are validated but not applied: they are for lists.
  const filters = raw.filters && resolveFilters(raw.filters, model, scope)
  const search = raw.search === undefined ? undefined : resolveSearch(raw.search, model, scope)
  const order = resolveSort(raw.sort, model, scope, search?.score)
  const node = {
    model,
    select: resolveFields(raw.fields, model, 'root', scope),
    children: resolvePopulate(raw.populate, model, scope, 'root'),
    // The answer of a write carries `meta`, even an empty one; a read has it when a plugin adds terms. Source: docs/contract/reading.md#answers.
    meta: scope.meta(model, isWriteAction(context.action)),
  }
  const root = (where: Condition | undefined, rest: Pick<PlanNode, 'order' | 'slice'>): PlanNode =>
    Object.freeze({ ...node, where, ...rest })

  const where = allOf([narrowed, filters, search?.where])
  const sorted = order.length > 0 ? order : [byId(model)]
  const one = () => onePlan(root(where, { order: [byId(model)], slice: { offset: 0, limit: 1 } }))
  const byIdOf = (id: RuntimeValue | Operand) =>
    onePlan(
      root(allOf([compare(model.id, '$eq', id), narrowed]), { order: [], slice: undefined }),
      narrowed !== undefined,
    )
  switch (target.kind) {
    case 'byId':
      return byIdOf(entryId)
    case 'written':
      return byIdOf(written)
    case 'first':
      return one()
    case 'single':
      if (!scope.listsSingle(model)) return one()
      return allPlan(root(where, { order: sorted, slice: undefined }))
    case 'count':
      return countPlan(root(where, { order: [], slice: undefined }))
    case 'list':
      return pageOfList(raw.pagination, sorted, model, environment, (rest) => root(where, rest))
  }
}

/** A page of a list. @param root Makes the root node with the order and the slice of the page. */
function pageOfList(
  pagination: RawQuery['pagination'],
  sorted: readonly OrderTerm[],
  model: ContentType,
  environment: ResolveEnvironment,
  root: (rest: Pick<PlanNode, 'order' | 'slice'>) => PlanNode,
): PlanKind {
  const countUpTo = environment.rest.estimateCountAbove
  if (pagination.kind === 'cursor') {
    const paging = resolveCursor(pagination, sorted, model, environment)
    const { keyset, pageSize } = paging
    // Fetches one extra row to detect a next page.
    const slice = { offset: 0, limit: pageSize + 1 }
    return listPlan(root({ order: keyset.order, slice }), paging, countUpTo)
  }
  const paging = resolvePaging(pagination, environment.rest)
  return listPlan(root({ order: sorted, slice: sliceOf(paging) }), paging, countUpTo)
}
