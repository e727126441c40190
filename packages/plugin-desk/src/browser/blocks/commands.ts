/** The commands of the toolbar and of the keys. */
import { Fragment, type Node, type ResolvedPos } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  NodeSelection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { schema } from './schema.ts'

type BlockName = 'paragraph' | 'quote' | 'code_block' | `heading${1 | 2 | 3 | 4 | 5 | 6}`
type ListFormat = 'ordered' | 'unordered'

const { nodes } = schema

/** A list with the items of it that are selected. */
interface Items {
  readonly list: Node
  /** Before the list. */
  readonly position: number
  readonly first: number
  readonly last: number
  /** The list that has the list, if it is nested. */
  readonly isNested: boolean
}

function itemsIn({ selection: { $from, $to } }: EditorState): Items | undefined {
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth--) {
    const list = $from.node(depth)
    if (list.type !== nodes.list) continue
    return {
      list,
      position: $from.before(depth),
      first: $from.index(depth),
      last: $to.index(depth),
      isNested: $from.node(depth - 1).type === nodes.list,
    }
  }
  return undefined
}

/** The content of a list before and after some items, as lists of their own; none for no items. */
const cut = (list: Node, from: number, to: number): readonly Node[] =>
  to > from ? [list.copy(Fragment.from(list.children.slice(from, to)))] : []

/** Replaces nodes by others with the same texts in the same order; the selection stays at its letters. */
function exchange(state: EditorState, from: number, to: number, put: readonly Node[]): Transaction {
  const letters = (position: ResolvedPos): readonly [block: number, offset: number] => {
    let block = -1
    state.doc.nodesBetween(from, Math.min(position.pos + 1, state.doc.content.size), (node, at) => {
      if (node.isTextblock && at >= from && at < position.pos) block++
    })
    return [Math.max(block, 0), position.parentOffset]
  }
  const { $anchor, $head } = state.selection
  const wanted = [letters($anchor), letters($head)]
  const tr = state.tr.replaceWith(from, to, put)
  const starts: number[] = []
  const size = put.reduce((sum, node) => sum + node.nodeSize, 0)
  tr.doc.nodesBetween(from, Math.min(from + size, tr.doc.content.size), (node, at) => {
    if (node.isTextblock && at >= from) starts.push(at + 1)
  })
  const [anchor = from, head = from] = wanted.map(([block, offset]) => (starts[block] ?? from) + offset)
  const { size: end } = tr.doc.content
  return tr
    .setSelection(
      TextSelection.between(tr.doc.resolve(Math.min(anchor, end)), tr.doc.resolve(Math.min(head, end))),
    )
    .scrollIntoView()
}

/** Makes the selected items of a list a list in it. The first item of a list has nothing to belong to. */
export const indent: Command = (state, dispatch) => {
  const items = itemsIn(state)
  if (!items || items.first === 0) return false
  const { list, position, first, last } = items
  const level = (list.attrs.source as { readonly indentLevel?: number } | null)?.indentLevel ?? 0
  const before = list.child(first - 1)
  const moved = list.children.slice(first, last + 1)
  const inner =
    before.type === nodes.list
      ? before.copy(before.content.append(Fragment.from(moved)))
      : nodes.list?.create(
          { format: list.attrs.format, source: { type: 'list', indentLevel: level + 1 } },
          moved,
        )
  if (!inner) return false
  const kept = list.children.slice(0, before.type === nodes.list ? first - 1 : first)
  const whole = list.copy(Fragment.from([...kept, inner, ...list.children.slice(last + 1)]))
  dispatch?.(exchange(state, position, position + list.nodeSize, [whole]))
  return true
}

/** Takes the selected items out of their list: into the one around it, or out of all as paragraphs. */
export const outdent: Command = (state, dispatch) => {
  const items = itemsIn(state)
  if (!items) return false
  const { list, position, first, last, isNested } = items
  const taken = list.children.slice(first, last + 1)
  const moved = isNested ? taken : taken.flatMap((node) => paragraphsOf(node))
  const put = [...cut(list, 0, first), ...moved, ...cut(list, last + 1, list.childCount)]
  dispatch?.(exchange(state, position, position + list.nodeSize, put))
  return true
}

const paragraphsOf = (node: Node): readonly Node[] =>
  node.type === nodes.list_item
    ? [schema.node('paragraph', { source: node.attrs.source }, node.content)]
    : [node]

/** The blocks of the document that the selection touches. */
function blocksIn({ doc, selection: { $from, $to } }: EditorState) {
  const [first, last] = [$from.index(0), Math.min($to.index(0), doc.childCount - 1)]
  const position = $from.posAtIndex(first, 0)
  const blocks = doc.children.slice(first, last + 1)
  return { position, end: position + blocks.reduce((sum, node) => sum + node.nodeSize, 0), blocks }
}

/** Makes the selected blocks items of a list; those of a list of this kind become paragraphs. */
export const toList =
  (format: ListFormat): Command =>
  (state, dispatch) => {
    const items = itemsIn(state)
    if (items) {
      if (items.list.attrs.format === format) return outdent(state, dispatch)
      dispatch?.(state.tr.setNodeAttribute(items.position, 'format', format))
      return true
    }
    const { position, end, blocks } = blocksIn(state)
    const inner = blocks.flatMap((node): readonly Node[] => {
      if (node.type === nodes.list) return node.children
      return node.isTextblock ? [schema.node('list_item', { source: node.attrs.source }, node.content)] : []
    })
    if (inner.length === 0 || blocks.some(({ isAtom }) => isAtom)) return false
    dispatch?.(exchange(state, position, end, [schema.node('list', { format }, inner)]))
    return true
  }

/** Makes the selected blocks of another type; items of lists become blocks. */
export const toBlock =
  (name: BlockName): Command =>
  (state, dispatch) => {
    const isHeading = name.startsWith('heading')
    const type = isHeading ? 'heading' : name
    const made = (node: Node): Node => {
      const attrs = {
        source: node.attrs.source as unknown,
        ...(isHeading && { level: Number(name.slice(7)) }),
      }
      return schema.node(type, attrs, name === 'code_block' ? lettersOf(node) : node.content)
    }
    const flat = (node: Node): readonly Node[] =>
      node.type === nodes.list ? node.children.flatMap(flat) : node.isTextblock ? [made(node)] : [node]
    const items = itemsIn(state)
    if (items && !items.isNested) {
      const { list, position, first, last } = items
      const put = [
        ...cut(list, 0, first),
        ...list.children.slice(first, last + 1).flatMap(flat),
        ...cut(list, last + 1, list.childCount),
      ]
      dispatch?.(exchange(state, position, position + list.nodeSize, put))
      return true
    }
    const { position, end, blocks } = blocksIn(state)
    dispatch?.(exchange(state, position, end, blocks.flatMap(flat)))
    return true
  }

/** Code has letters only. */
const lettersOf = (node: Node): readonly Node[] =>
  node.textContent === '' ? [] : [schema.text(node.textContent)]

/** Enter in an empty item ends the list. */
export const leaveList: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  return empty && $from.parent.type === nodes.list_item && $from.parent.content.size === 0
    ? outdent(state, dispatch)
    : false
}

/** Backspace at the beginning of the first item, or of a heading, a quote or code, makes it a paragraph. */
export const plainAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || !$from.parent.isTextblock) return false
  if ($from.parent.type === nodes.list_item) return $from.index(-1) === 0 ? outdent(state, dispatch) : false
  return $from.parent.type === nodes.paragraph ? false : toBlock('paragraph')(state, dispatch)
}

/** A new line in the block. */
export const breakLine: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.isTextblock) return false
  dispatch?.(state.tr.replaceSelectionWith(schema.text('\n'), true).scrollIntoView())
  return true
}

/** Links the selected words, or writes the address where none are selected. */
export const setLink =
  (url: string): Command =>
  (state, dispatch) => {
    const { from, to, empty } = linkedRange(state)
    const mark = schema.mark('link', { url })
    const tr = empty
      ? state.tr.replaceSelectionWith(schema.text(url, [mark]), false)
      : state.tr.removeMark(from, to, schema.marks.link).addMark(from, to, mark)
    dispatch?.(tr.scrollIntoView())
    return true
  }

export const removeLink: Command = (state, dispatch) => {
  const { from, to } = linkedRange(state)
  dispatch?.(state.tr.removeMark(from, to, schema.marks.link))
  return true
}

/** The address of the link at the caret. */
export function linkAt({ selection: { $from, empty } }: EditorState): string | undefined {
  const marks = empty ? [...$from.marks(), ...($from.nodeAfter?.marks ?? [])] : ($from.nodeAfter?.marks ?? [])
  const url = marks.find(({ type }) => type.name === 'link')?.attrs.url as unknown
  return typeof url === 'string' ? url : undefined
}

/** The selection, or the whole link in which the caret is. */
function linkedRange(state: EditorState): {
  readonly from: number
  readonly to: number
  readonly empty: boolean
} {
  const { $from, from, to, empty } = state.selection
  const url = linkAt(state)
  if (!empty || url === undefined) return { from, to, empty }
  let [start, end] = [from, to]
  $from.parent.forEach((node, offset) => {
    const at = $from.start() + offset
    const isLinked = node.marks.some(({ type, attrs }) => type.name === 'link' && attrs.url === url)
    if (!isLinked || at > to || at + node.nodeSize < from) return
    start = Math.min(start, at)
    end = Math.max(end, at + node.nodeSize)
  })
  return { from: start, to: end, empty: start === end }
}

/** Puts a picture after the block of the caret, or in the place of an empty one. */
export const insertPicture =
  (image: Readonly<Record<string, unknown>>): Command =>
  (state, dispatch) => {
    const { $to } = state.selection
    const index = Math.min($to.index(0), state.doc.childCount - 1)
    const block = state.doc.child(index)
    const start = $to.posAtIndex(index, 0)
    const isEmpty = block.type === nodes.paragraph && block.content.size === 0
    const node = schema.node('image', {
      source: { type: 'image', image, children: [{ type: 'text', text: '' }] },
    })
    const at = isEmpty ? start : start + block.nodeSize
    const isLast = index === state.doc.childCount - 1
    const put = isLast ? [node, schema.node('paragraph')] : [node]
    const tr = state.tr.replaceWith(at, start + block.nodeSize, put)
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, at)).scrollIntoView())
    return true
  }

/** The type of the block of the caret, as {@link toBlock} has them; `undefined` for a list, a picture and unknown blocks. */
export function blockAt({ selection: { $from } }: EditorState): BlockName | undefined {
  const { type, attrs } = $from.parent
  if (type === nodes.heading) return `heading${attrs.level as 1}`
  return type === nodes.paragraph || type === nodes.quote || type === nodes.code_block
    ? (type.name as BlockName)
    : undefined
}

export const listAt = (state: EditorState): ListFormat | undefined =>
  itemsIn(state)?.list.attrs.format as ListFormat | undefined
