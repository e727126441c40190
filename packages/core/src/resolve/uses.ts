import { OctavoError } from '@octavo/database'
import type { Model, UsesAttribute } from '../content-type/model.ts'
import type { RawChild, RawField, RawFilter, RawNode, RawSort } from '../parse/raw.ts'
import type { PlanChild, PlanNode, PlanOwner } from '../plan/plan.ts'
import { resolveFilters } from './filters.ts'
import { resolveChildSlice } from './paging.ts'
import { unknownAttribute } from './refuse.ts'
import type { Scope } from './scope.ts'
import { resolveSort } from './sort.ts'

/**
 * Resolves a node of entries of a content-type; `undefined` when the caller may read none of them.
 * @param options Called when the caller may read entries; it returns `undefined` if no entry matches.
 */
type ResolveOwner = (model: Model, scope: Scope, options: () => RawNode | undefined) => PlanNode | undefined

/**
 * The entries that link to an entry, of each content-type that the caller may find, through attributes that the caller may read.
 *
 *     populate=related                                   → all of their fields
 *     populate[related][fields]=title                    → the title, of those content-types that have one
 *     populate[related][on][api::article.article]=true   → the entries of one content-type, with options of its own
 *
 * Options apply to the content-types that have the named attributes: to the others, a field adds nothing, a sort does not sort them,
 * and a filter matches none of their entries. A name that no content-type has is refused.
 *
 * @throws ValidationError
 */
export function resolveUses(
  attribute: UsesAttribute,
  raw: RawChild,
  scope: Scope,
  resolveOwner: ResolveOwner,
): PlanChild {
  const owners: PlanOwner[] = []
  const shared = new SharedOptions(raw)
  for (const [uid, all] of attribute.owners) {
    const model = scope.registry.contentType(uid)
    const attributes = all.filter((linking) => scope.sees(linking, model, 'populate'))
    const own = raw.on ? raw.on.get(uid) : raw
    if (!own || attributes.length === 0) continue
    const below = scope.below(own, attribute)
    const node = resolveOwner(model, below, () => (own === raw ? shared.of(model, below) : own))
    if (node) owners.push({ node: flat(node), attributes })
  }
  shared.refuseUnknown()
  const slice = resolveChildSlice(raw.page, scope.rest, scope.limits.listRows)
  return { kind: 'uses', attribute, owners, slice }
}

/** The node with the entries of all its places without envelopes. */
const flat = (node: PlanNode): PlanNode =>
  Object.freeze({ ...node, flat: true, children: node.children.map(flatChild) })

function flatChild(child: PlanChild): PlanChild {
  if (child.kind === 'uses') return child
  return child.kind === 'zone'
    ? { ...child, nodes: child.nodes.map(flat) }
    : { ...child, node: flat(child.node) }
}

type Option = RawField | RawSort | RawFilter

/** Options that are for several content-types, of which each has some of the named attributes. */
class SharedOptions {
  readonly #raw: RawNode
  readonly #known = new Set<Option>()
  readonly #unknown = new Map<Option, OctavoError>()

  constructor(raw: RawNode) {
    this.#raw = raw
  }

  /** The options for a content-type; `undefined` when it lacks an attribute that the filters name. @throws ValidationError */
  of(model: Model, scope: Scope): RawNode | undefined {
    const { fields, sort, filters } = this.#raw
    const hasField = (field: RawField) => (): void => {
      if (field.name !== '*' && !scope.attribute(model, field.name, 'populate'))
        throw unknownAttribute(field.at, field.name, model, 'populate', scope)
    }
    const options = {
      ...this.#raw,
      fields:
        typeof fields === 'string' ? fields : fields?.filter((field) => this.#has(field, hasField(field))),
      sort: sort.filter((term) => this.#has(term, () => resolveSort([term], model, scope))),
    }
    const matches = !filters || this.#has(filters, () => resolveFilters(filters, model, scope))
    return matches ? options : undefined
  }

  /** Whether a content-type has the attributes of an option. @throws the errors of `resolve` but for unknown attributes */
  #has(option: Option, resolve: () => unknown): boolean {
    try {
      resolve()
      this.#known.add(option)
      return true
    } catch (error) {
      if (!(error instanceof OctavoError) || error.code !== 'query/unknown-attribute') throw error
      if (!this.#unknown.has(option)) this.#unknown.set(option, error)
      return false
    }
  }

  /** @throws ValidationError for an option that no content-type knows */
  refuseUnknown(): void {
    for (const [option, error] of this.#unknown) if (!this.#known.has(option)) throw error
  }
}
