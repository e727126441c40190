/**
 * The dependencies of a response, as cache tags. The tags of a content-type `article` are
 *
 *     article/7        the response includes entry 7
 *     article:list     creates, deletes and relation changes may change the response
 *     article:values   values of entries that it does not include may change it: it is filtered, sorted or searched by them
 *     article:any      replaces all `article/…` when there are too many
 *     octavo:any-write entries of types that neither the response nor the query names may change it, e.g. through a
 *                      permission. The names of these types could reveal rules to the caller
 *     octavo:rights    the rights of callers decide about the response, and are entries (`options.decidesRights`)
 *
 * `tagsOfWrite` returns the tags that a write invalidates. A write that changes a response shares a tag with it.
 */
import type { ContentType, Model, Registry } from '../content-type/model.ts'
import { type Condition, nameOf, type PlanNode, type QueryPlan } from '../plan/plan.ts'
import { each, nodesBelow, reachesOut } from '../plan/walk.ts'

/** `article` of `api::article.article`, `upload.file` of `plugin::upload.file`. */
export const tagOf = ({ uid }: Pick<ContentType, 'uid'>): string =>
  uid.startsWith('api::') ? uid.slice(uid.lastIndexOf('.') + 1) : uid.replace(/^plugin::/, '')

export const listTag = (type: Pick<ContentType, 'uid'>): string => `${tagOf(type)}:list`
export const valuesTag = (type: Pick<ContentType, 'uid'>): string => `${tagOf(type)}:values`
export const anyTag = (type: Pick<ContentType, 'uid'>): string => `${tagOf(type)}:any`
export const entryTag = (type: Pick<ContentType, 'uid'>, id: number): string => `${tagOf(type)}/${id}`

/** Represents all types that a response depends on without including them; every write has this tag. */
export const anyWriteTag = 'octavo:any-write'

/** Represents the rights of callers: any entry of a type with `options.decidesRights` may change any response. */
export const rightsTag = 'octavo:rights'

/** Whether entries of a type are rights, such as the permissions of roles. */
export const decidesRights = ({ options }: Pick<ContentType, 'options'>): boolean =>
  options.decidesRights === true

/** The tags of a plan, independent of the returned entries. */
export function tagsOfPlan(plan: QueryPlan, { contentTypes }: Registry): ReadonlySet<string> {
  const uids = [plan.root.model.uid, ...(plan.named ?? []), ...shownBelow(plan.root)]
  const visible = new Set(uids.map((uid) => tagOf({ uid })))
  const isVisible = (tag: string): boolean => visible.has(tag.slice(0, tag.lastIndexOf(':')))
  return new Set([
    ...[...tagsOfNodes(plan)].map((tag) => (isVisible(tag) ? tag : anyWriteTag)),
    ...([...contentTypes.values()].some(decidesRights) ? [rightsTag] : []),
  ])
}

/** Uids of the models in a response below a node. */
const shownBelow = (node: PlanNode): readonly string[] =>
  nodesBelow(node).flatMap((child) => [child.model.uid, ...shownBelow(child)])

function tagsOfNodes(plan: QueryPlan): ReadonlySet<string> {
  const tags = new Set<string>()
  const { model, where } = plan.root
  if (model.kind === 'component') throw new Error('A component cannot be the root')
  const byId = plan.kind === 'one' && plan.root.order.length === 0
  if (!byId) tags.add(listTag(model))
  // For one entry by its id, the condition compares values of that entry only, which `article/7` covers.
  const root = byId && where && !reachesOut(where, model) ? { ...plan.root, where: undefined } : plan.root
  visit(root, model, tags)
  return tags
}

/** @param owner The content-type that the values of a node belong to: for a component, the one that contains it. */
function visit(node: PlanNode, owner: ContentType, tags: Set<string>): void {
  if (node.where) visitCondition(node.where, owner, tags)
  for (const { path, attribute } of node.order) {
    for (const { target, within } of path) {
      const related = addTagsOf(target, owner, tags)
      if (within) visitCondition(within, related, tags)
    }
    if (path.length > 0 || attribute !== node.model.id) tags.add(valuesTag(owner))
  }
  for (const { relation, within } of node.meta ?? []) {
    tags.add(listTag({ uid: relation.target })).add(valuesTag({ uid: relation.target }))
    if (within) visitCondition(within, owner, tags)
  }
  for (const child of node.children) {
    if (child.kind === 'zone') for (const part of child.nodes) visit(part, owner, tags)
    else if (child.kind === 'uses')
      for (const { node } of child.owners) {
        tags.add(listTag(node.model as ContentType)) // owners are content-types
        visit(node, node.model as ContentType, tags)
      }
    else if (child.node.model.kind === 'component') visit(child.node, owner, tags)
    else {
      tags.add(listTag(child.node.model))
      visit(child.node, child.node.model, tags)
    }
  }
}

function visitCondition(condition: Condition, owner: ContentType, tags: Set<string>): void {
  // A component has no tags: its values are those of the content-type that it was reached from, which has been visited.
  each(condition, owner, (one, on) => {
    const type = on.kind === 'component' ? owner : on
    if (one.kind === 'compare' || one.kind === 'matches') tags.add(valuesTag(type))
    if (one.kind === 'added') {
      tags.add(valuesTag(type))
      if (!one.operator.reads) tags.add(anyWriteTag)
      for (const uid of one.operator.reads ?? []) tags.add(listTag({ uid })).add(valuesTag({ uid }))
    }
    if (one.kind === 'related') {
      tags.add(valuesTag(type))
      addTagsOf(one.target, type, tags)
    }
  })
}

/** @returns the model whose values the step reads */
function addTagsOf(target: Model, owner: ContentType, tags: Set<string>): ContentType {
  if (target.kind === 'component') return owner
  tags.add(listTag(target)).add(valuesTag(target))
  return target
}

type Values = Readonly<Record<string, unknown>>

interface ReturnedEntry {
  readonly id: number
  readonly attributes: Values
}

/** The tags of the entries in a response, at any depth. @param data The parsed `data`. */
export function tagsOfEntries(data: unknown, root: PlanNode, registry: Registry): ReadonlySet<string> {
  const tags = new Set<string>()
  const entries = (value: unknown, node: PlanNode): void => {
    for (const entry of [value].flat() as readonly (ReturnedEntry | null)[]) {
      if (entry === null) continue
      tags.add(entryTag(node.model, entry.id))
      parts(node.flat ? (entry as unknown as Values) : entry.attributes, node)
    }
  }
  const parts = (values: Values, node: PlanNode): void => {
    for (const child of node.children) {
      const value = values[nameOf(child)]
      if (value === null || value === undefined || child.kind === 'count') continue
      if (child.kind === 'relation') {
        entries(child.node.flat ? value : (value as { readonly data: unknown }).data, child.node)
        continue
      }
      if (child.kind === 'uses') {
        for (const entry of value as readonly (Values & { readonly __type: string })[]) {
          const user = child.owners.find(({ node }) => node.model.uid === entry.__type)
          if (user) entries(entry, user.node)
        }
        continue
      }
      for (const item of [value].flat() as unknown as readonly Values[]) {
        const { __component: uid } = item
        const part =
          child.kind === 'component'
            ? child.node
            : child.nodes.find(({ model }) => model === registry.components.get(String(uid)))
        if (part) parts(item, part)
      }
    }
  }
  entries(data, root)
  return tags
}
