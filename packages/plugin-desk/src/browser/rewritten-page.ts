/**
 * Pages that something else rewrites: browsers and extensions that translate put elements of their own in the place of texts, and others take
 * elements away. React goes on with the nodes that it has made: it would change texts that nobody sees, and end at the first node that is
 * not where it was.
 */

/** The elements that stand in the place of texts, by these. */
const standIns = new WeakMap<Node, HTMLElement>()

const isTakenText = (node: Node): node is Text => node instanceof Text && !node.parentNode

/** Notes what was put in the place of texts, and shows those that React has changed since. */
function look(records: readonly MutationRecord[], observer: MutationObserver): void {
  for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    if (type === 'characterData' && isTakenText(target)) standIns.get(target)?.replaceWith(target)
    for (const node of removedNodes) {
      if (!isTakenText(node)) continue
      const beside = [...addedNodes, previousSibling, nextSibling]
      const standIn = beside.find((one) => one instanceof HTMLElement && one.localName === 'font')
      if (!(standIn instanceof HTMLElement)) continue
      standIns.set(node, standIn)
      observer.observe(node, { characterData: true })
    }
  }
}

/** Lets the pages go on while something else rewrites them. Called before they are drawn. */
export function bearRewriting(): void {
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
  const { removeChild, insertBefore } = Node.prototype
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node): Node {
      const found = child.parentNode ? child : standIns.get(child)
      return found?.parentNode ? removeChild.call(found.parentNode, found) : child
    },
    insertBefore(this: Node, node: Node, before: Node | null): Node {
      let place: Node | null | undefined = before?.parentNode === null ? standIns.get(before) : before
      while (place && place.parentNode !== this) place = place.parentNode
      return insertBefore.call(this, node, place ?? null)
    },
  })
}
