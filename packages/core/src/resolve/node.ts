import type { Attribute, Model } from '../content-type/model.ts'
import type { RawNode, RawPagination } from '../parse/raw.ts'
import { allOf } from './condition.ts'
import { resolveFields } from './fields.ts'
import { resolveFilters } from './filters.ts'
import { resolveChildSlice } from './paging.ts'
import type { PlanNode } from './plan.ts'
import { resolvePopulate } from './populate.ts'
import type { Scope } from './scope.ts'
import { resolveSort } from './sort.ts'

/** A populated node; `undefined` when the caller may read none of its entries. */
export function resolveNode(
  raw: RawNode,
  page: RawPagination | undefined,
  model: Model,
  via: Attribute,
  scope: Scope,
): PlanNode | undefined {
  const narrowed = scope.narrow(model, 'populate', via)
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
