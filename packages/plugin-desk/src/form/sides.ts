/** The content of a field when the values of two people come together after a merge: the choice of theirs, and undo. */
import type { FormTree } from './form-tree.ts'
import { type Content, sameContent } from './history.ts'
import type { Overlap } from './merge.ts'
import type { ComponentsNode } from './nodes.ts'
import { mergeOrder } from './order.ts'
import { type ComponentValue, identityOf, type Linked } from './value.ts'

/** The content of a field once the value of the other person is chosen. Components of it are added to the tree. */
export function contentOfTheirs(tree: FormTree, { key, theirs, component }: Overlap): Content | undefined {
  const node = tree.nodes.get(key)
  if (node.kind === 'relation' && node.shape.many && theirs.kind === 'relation') {
    const entries = new Map(node.items.map((item) => [String(item.id), item]))
    const order = orderedLike(
      [...entries.keys()],
      theirs.items.map(({ id }) => String(id)),
    )
    return { kind: 'relation', items: order.flatMap((id) => entries.get(id) ?? []) }
  }
  if (theirs.kind !== 'components') return theirs
  if (node.kind !== 'components') return undefined
  const others = theirs.items.map((item) => ({ item, key: tree.keyOf(node.key, item) }))
  if (component !== undefined)
    return { kind: 'components', items: withComponent(tree, node, others, component) }
  const items = node.shape.many
    ? orderedLike(
        node.items,
        others.map((one) => one.key),
      )
    : others.map(({ item }) => tree.add(key, item))
  return { kind: 'components', items }
}

interface Keyed {
  readonly item: ComponentValue
  readonly key: string
}

function withComponent(
  tree: FormTree,
  node: ComponentsNode,
  others: readonly Keyed[],
  identity: string,
): readonly string[] {
  const at = others.findIndex(({ item }) => identityOf(item) === identity)
  const found = others[at]
  if (!found) return node.items.filter((item) => tree.identity(item) !== identity)
  const added = tree.add(node.key, found.item)
  const before = others.slice(0, at).findLast(({ key }) => node.items.includes(key))
  return node.items.toSpliced(before ? node.items.indexOf(before.key) + 1 : 0, 0, added)
}

/** The items in the order of another list; those that it lacks stay behind their neighbours. */
function orderedLike(items: readonly string[], like: readonly string[]): readonly string[] {
  const [own, other] = [new Set(items), new Set(like)]
  const common = items.filter((item) => other.has(item))
  return mergeOrder(
    common,
    items,
    like.filter((item) => own.has(item)),
  ).order
}

/** The content that a step changes back to, with the changes that others have made since. */
export function withoutOthers(now: Content, from: Content, to: Content, many: boolean): Content {
  if (!many) return sameContent(from, now) ? to : now
  if (now.kind === 'components' && from.kind === 'components' && to.kind === 'components')
    return { kind: 'components', items: mergeOrder(from.items, now.items, to.items).order }
  if (now.kind !== 'relation' || from.kind !== 'relation' || to.kind !== 'relation') return now
  const entries = new Map([...from.items, ...to.items, ...now.items].map((item) => [String(item.id), item]))
  const ids = (content: { readonly items: readonly Linked[] }) => content.items.map(({ id }) => String(id))
  const { order } = mergeOrder(ids(from), ids(now), ids(to))
  return { kind: 'relation', items: order.flatMap((id) => entries.get(id) ?? []) }
}
