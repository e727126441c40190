import type { Model } from '../content-type/model.js'
import type { RawNode, RawPagination } from '../parse/raw.js'
import { allOf } from './condition.js'
import { resolveFields } from './fields.js'
import { resolveFilters } from './filters.js'
import { resolveChildSlice } from './paging.js'
import type { PlanNode } from './plan.js'
import { resolvePopulate } from './populate.js'
import type { Scope } from './scope.js'
import { resolveSort } from './sort.js'

/** A populated node; `undefined` when the caller may read none of its entries. */
export function resolveNode(raw: RawNode, page: RawPagination | undefined, model: Model, scope: Scope): PlanNode | undefined {
  const narrowed = scope.narrow(model, 'populate')
  if (narrowed === 'forbid') return undefined
  return Object.freeze({
    model,
    select: resolveFields(raw.fields, model, 'populate', scope),
    where: allOf([narrowed, raw.filters && resolveFilters(raw.filters, model, scope)]),
    order: resolveSort(raw.sort, model, scope),
    slice: resolveChildSlice(page, scope.rest),
    children: resolvePopulate(raw.populate, model, scope),
    meta: undefined,
  })
}
