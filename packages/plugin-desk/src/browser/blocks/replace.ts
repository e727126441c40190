/** Takes a value that came from elsewhere (undo, a merge, a choice between two texts) into an open document. */
import type { Node } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { readBlocks } from './read.ts'
import { schema } from './schema.ts'

/** The transaction that makes the document equal to a value; the caret stays at its words where they are still there. */
export function replacing(state: EditorState, value: readonly unknown[] | null): Transaction {
  const next = readBlocks(value)
  const { tr, doc, selection } = state
  const range = differing(doc, next)
  if (range) tr.replace(range.from, range.to, next.slice(range.from, range.toNext))
  // Where the cut does not fit, the whole document is replaced.
  if (!tr.doc.content.eq(next.content)) tr.replaceWith(0, tr.doc.content.size, next.content)
  tr.setDocAttribute('source', next.attrs.source)
  if (!range) return tr
  const find = caretIn(doc, next)
  const [anchor, head] = [find(selection.anchor), find(selection.head)]
  return tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head)))
}

interface Range {
  readonly from: number
  readonly to: number
  readonly toNext: number
}

/** The range in which two documents differ. */
function differing(one: Node, next: Node): Range | undefined {
  const from = one.content.findDiffStart(next.content)
  const end = one.content.findDiffEnd(next.content)
  if (from === null || !end) return undefined
  const overlap = Math.max(0, from - Math.min(end.a, end.b))
  return { from, to: end.a + overlap, toNext: end.b + overlap }
}

/** Where a position of one document is in the next one: the sources of blocks, which change with every word, do not count. */
function caretIn(one: Node, next: Node): (position: number) => number {
  const [bare, bareNext] = [withoutSources(one), withoutSources(next)]
  const range = differing(bare, bareNext)
  const { size } = next.content
  return (position) => {
    if (!range || position <= range.from) return Math.min(position, size)
    if (position >= range.to) return Math.min(position + range.toNext - range.to, size)
    return inSameBlock(bare, bareNext, position) ?? Math.min(position, range.toNext, size)
  }
}

/** The position in the block with the same content, when others have changed blocks before and after it. */
function inSameBlock(bare: Node, bareNext: Node, position: number): number | undefined {
  const { index, offset } = bare.childBefore(position).node
    ? bare.childBefore(position)
    : bare.childAfter(position)
  const block = bare.child(index)
  let at = 0
  for (const twin of bareNext.children) {
    if (twin.eq(block)) return at + position - offset
    at += twin.nodeSize
  }
  return undefined
}

function withoutSources(node: Node): Node {
  if (node.isText) return node
  const attrs = node.isAtom ? node.attrs : { ...node.attrs, source: null }
  return schema.node(node.type, attrs, node.children.map(withoutSources), node.marks)
}
