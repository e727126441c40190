import { type Attribute, isValue, type Model, type ZoneAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { RawChild, RawNode, RawPagination, RawPopulate } from '../parse/raw.ts'
import { allOf } from '../plan/condition.ts'
import type { PlanChild, PlanNode } from '../plan/plan.ts'
import { resolveFields } from './fields.ts'
import { resolveFilters } from './filters.ts'
import { resolveChildSlice } from './paging.ts'
import type { Scope } from './scope.ts'
import { resolveSort } from './sort.ts'

/** A child without options. */
const plain = {
  fields: undefined,
  sort: [],
  filters: undefined,
  populate: { all: false, named: new Map() },
  params: new Map(),
} satisfies RawNode

/**
 * The populated relations, components and zones. A name that does not exist, that is a scalar, or whose
 * entries the caller may not read populates nothing and is not an error.
 */
export function resolvePopulate(raw: RawPopulate, model: Model, scope: Scope): readonly PlanChild[] {
  if (!raw.all && raw.named.size === 0) return []
  for (const [name, child] of raw.named) {
    if (!child) continue
    const known = model.attributes.get(child.of ?? name)
    if (!known || isValue(known)) scope.notPopulated(name, model)
  }
  const children: PlanChild[] = []
  const add = (attribute: Attribute, given: RawChild | undefined, as?: string): void => {
    if (isValue(attribute) || !scope.sees(attribute, model, 'populate')) return
    const child = resolveChild(attribute, given, scope)
    if (child) children.push(as === undefined ? child : { ...child, as })
  }
  for (const attribute of model.attributes.values()) {
    if (isValue(attribute)) continue
    const named = raw.named.get(attribute.name)
    if (named === false || (named === undefined && !raw.all)) continue
    add(attribute, named)
  }
  for (const [name, child] of raw.named) {
    if (!child || child.of === undefined || child.of === name) continue
    if (model.attributes.has(name) || ownKeys.has(name)) throw taken(child, name, model)
    const attribute = model.attributes.get(child.of)
    if (attribute) add(attribute, child, name)
  }
  return children
}

/** Keys of an answered component besides its attributes. */
const ownKeys: ReadonlySet<string> = new Set(['id', '__component'])

/** The refusal of a place that shows an attribute under the name of another one. */
const taken = ({ at, of }: RawChild, name: string, { uid }: Model) =>
  problem('query/bad-populate', {
    at,
    reason: `${uid} has an attribute "${name}"; "${of}" needs another name`,
  })

function resolveChild(attribute: Attribute, raw: RawChild | undefined, scope: Scope): PlanChild | undefined {
  const nodeOf = (model: Model) =>
    resolveNode(raw ?? plain, raw?.page, model, attribute, scope.below(raw ?? plain, attribute))
  switch (attribute.kind) {
    case 'scalar':
    case 'computed':
      return undefined
    case 'relation': {
      const node = nodeOf(scope.registry.contentType(attribute.target))
      if (!node) return undefined
      return raw?.count ? { kind: 'count', attribute, node } : { kind: 'relation', attribute, node }
    }
    case 'component': {
      const node = nodeOf(scope.registry.component(attribute.component))
      return node && { kind: 'component', attribute, node }
    }
    case 'zone':
      return { kind: 'zone', attribute, nodes: zoneNodes(attribute, raw, scope) }
  }
}

/** The options of a zone apply to each of its components; `on` selects components, each with its own options. */
function zoneNodes(attribute: ZoneAttribute, raw: RawChild | undefined, scope: Scope): readonly PlanNode[] {
  if (raw && (raw.sort.length > 0 || raw.filters || raw.page)) {
    throw problem('query/not-usable', {
      at: raw.at,
      attribute: attribute.name,
      reason: 'is a dynamic zone, which is returned completely and in its own order',
    })
  }
  const nodes: PlanNode[] = []
  for (const uid of attribute.components) {
    const own = raw?.on ? raw.on.get(uid) : raw
    if (raw?.on && !own) continue
    const given = own || plain
    const page = own ? own.page : undefined
    const node = resolveNode(
      given,
      page,
      scope.registry.component(uid),
      attribute,
      scope.below(given, attribute),
    )
    if (node) nodes.push(node)
  }
  return nodes
}

/** A populated node; `undefined` when the caller may read none of its entries. */
function resolveNode(
  raw: RawNode,
  page: RawPagination | undefined,
  model: Model,
  via: Attribute,
  scope: Scope,
): PlanNode | undefined {
  scope.countNode()
  const narrowed = scope.narrow(model, 'populate', via)
  if (narrowed === 'forbid') return undefined
  return Object.freeze({
    model,
    select: resolveFields(raw.fields, model, 'populate', scope),
    where: allOf([narrowed, raw.filters && resolveFilters(raw.filters, model, scope)]),
    order: resolveSort(raw.sort, model, scope),
    slice: resolveChildSlice(page, scope.rest, scope.limits.listRows),
    children: resolvePopulate(raw.populate, model, scope),
    meta: undefined,
  })
}
