import {
  type Attribute,
  isValue,
  type Model,
  type UsesAttribute,
  type ZoneAttribute,
} from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath, RawChild, RawNode, RawPagination, RawPopulate } from '../parse/raw.ts'
import { allOf } from '../plan/condition.ts'
import { componentChild, countChild, relationChild, zoneChild } from '../plan/nodes.ts'
import type { Condition, PlanChild, PlanNode } from '../plan/plan.ts'
import { resolveFields } from './fields.ts'
import { resolveFilters } from './filters.ts'
import { resolveChildSlice } from './paging.ts'
import type { Scope } from './scope.ts'
import { resolveSort } from './sort.ts'
import { resolveUses } from './uses.ts'

/** A child without options. */
const plain: RawChild = {
  fields: undefined,
  sort: [],
  filters: undefined,
  populate: { all: false, named: new Map() },
  params: new Map(),
  at: '' as ParamPath, // nothing in it can be refused
  page: undefined,
  count: false,
  on: undefined,
  of: undefined,
}

/**
 * The populated relations, components, zones and lists of uses. A name that does not exist, that is a scalar, or whose
 * entries the caller may not read populates nothing and is not an error.
 * @param use The use of the node: the attributes of the root are those that its action shows. At the root `*` includes the lists of uses, which are whole
 * entries; elsewhere only their names include them.
 */
export function resolvePopulate(
  raw: RawPopulate,
  model: Model,
  scope: Scope,
  use: 'root' | 'populate',
): readonly PlanChild[] {
  if (!raw.all && raw.named.size === 0) return []
  const attributeOf = (name: string): Attribute | UsesAttribute | undefined =>
    model.attributes.get(name) ?? model.uses.get(name)
  for (const [name, child] of raw.named) {
    if (!child) continue
    const known = attributeOf(child.of ?? name)
    if (!known || (known.kind !== 'uses' && isValue(known))) scope.notPopulated(name, model)
  }
  const children: PlanChild[] = []
  const add = (attribute: Attribute | UsesAttribute, given: RawChild | undefined, as?: string): void => {
    const child = resolveVisible(attribute, given, model, scope, use)
    if (child) children.push(as === undefined ? child : { ...child, as })
  }
  const addOf = (attribute: Attribute | UsesAttribute, isOfAll: boolean): void => {
    const named = raw.named.get(attribute.name)
    if (named || (named === undefined && raw.all && isOfAll)) add(attribute, named)
  }
  for (const attribute of model.attributes.values()) addOf(attribute, true)
  for (const attribute of model.uses.values()) addOf(attribute, use === 'root')
  for (const [name, child] of raw.named) {
    if (!child || child.of === undefined || child.of === name) continue
    if (attributeOf(name) || ownKeys.has(name)) throw taken(child, name, model)
    const attribute = attributeOf(child.of)
    if (attribute) add(attribute, child, name)
  }
  return children
}

/** Keys of an answered component besides its attributes. */
const ownKeys: ReadonlySet<string> = new Set(['id', '__component', '__type'])

/** The refusal of a place that shows an attribute under the name of another one. */
const taken = ({ at, of }: RawChild, name: string, { uid }: Model) =>
  problem('query/bad-populate', {
    at,
    reason: `${uid} has an attribute "${name}"; "${of}" needs another name`,
  })

function resolveVisible(
  attribute: Attribute | UsesAttribute,
  raw: RawChild | undefined,
  model: Model,
  scope: Scope,
  use: 'root' | 'populate',
): PlanChild | undefined {
  if (attribute.kind === 'uses')
    return scope.isOpen(attribute, model, use)
      ? resolveUses(attribute, raw ?? plain, scope, resolveOwner)
      : undefined
  if (isValue(attribute) || !scope.sees(attribute, model, use)) return undefined
  return resolveChild(attribute, raw, model, scope)
}

function resolveChild(
  attribute: Attribute,
  raw: RawChild | undefined,
  owner: Model,
  scope: Scope,
): PlanChild | undefined {
  const below = (model: Model) =>
    resolveNode(raw ?? plain, raw?.page, model, attribute, scope.below(raw ?? plain, attribute, owner))
  switch (attribute.kind) {
    case 'scalar':
    case 'computed':
      return undefined
    case 'relation': {
      const node = below(scope.registry.contentType(attribute.target))
      if (!node) return undefined
      // The reference does not count files.
      return raw?.count && !attribute.part ? countChild(attribute, node) : relationChild(attribute, node)
    }
    case 'component': {
      const node = below(scope.registry.component(attribute.component))
      return node && (raw?.count ? countChild(attribute, node) : componentChild(attribute, node))
    }
    case 'zone':
      return zoneChild(attribute, zoneNodes(attribute, raw, owner, scope))
  }
}

/** The options of a zone apply to each of its components; `on` selects components, each with its own options. */
function zoneNodes(
  attribute: ZoneAttribute,
  raw: RawChild | undefined,
  owner: Model,
  scope: Scope,
): readonly PlanNode[] {
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
      scope.below(given, attribute, owner),
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
  return narrowed === 'forbid' ? undefined : nodeOf(raw, page, model, scope, narrowed)
}

/** A node in a list of uses. */
function resolveOwner(model: Model, scope: Scope, options: () => RawNode | undefined): PlanNode | undefined {
  scope.countNode()
  const narrowed = scope.narrow(model, 'populate')
  const raw = narrowed === 'forbid' ? undefined : options()
  return raw && narrowed !== 'forbid' ? nodeOf(raw, undefined, model, scope, narrowed) : undefined
}

const nodeOf = (
  raw: RawNode,
  page: RawPagination | undefined,
  model: Model,
  scope: Scope,
  narrowed: Condition | undefined,
): PlanNode =>
  Object.freeze({
    model,
    select: resolveFields(raw.fields, model, 'populate', scope),
    where: allOf([narrowed, raw.filters && resolveFilters(raw.filters, model, scope)]),
    order: resolveSort(raw.sort, model, scope),
    slice: resolveChildSlice(page, scope.rest, scope.limits.listRows),
    children: resolvePopulate(raw.populate, model, scope, 'populate'),
    meta: undefined,
  })
