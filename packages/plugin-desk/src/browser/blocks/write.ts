/**
 * Writes a document as stored blocks. An unchanged block is the very object from which it was read. So an unchanged
 * text is stored byte for byte, and a keystroke costs as much as the block in which it is typed.
 */
import type { Mark, Node } from 'prosemirror-model'
import { sameJson } from '../../form/index.ts'
import { isObject, type JsonObject, readBlock, readBlocks, without } from './read.ts'
import { flags } from './schema.ts'

const emptyText: JsonObject = { type: 'text', text: '' }

const nothing: readonly unknown[] = [{ type: 'paragraph', children: [emptyText] }]

/** The value of a document; null when it is empty and was not stored as an empty block. */
export function writeBlocks(doc: Node): readonly unknown[] | null {
  const source = doc.attrs.source as readonly unknown[] | null // set by readBlocks
  const written = doc.children.map(writeBlock)
  if (sameJson(asWritten(source), written)) return source
  return sameJson(written, nothing) ? null : written
}

/** A stored value as the writer would write it. */
const asWritten = (source: readonly unknown[] | null): readonly unknown[] =>
  source !== null && source.length > 0 ? source : readBlocks(source).children.map(writeBlock)

const written = new WeakMap<Node, unknown>()

/** The JSON of a block: its source when the node says the same. */
function writeBlock(node: Node): unknown {
  const { source } = node.attrs as { readonly source: unknown }
  if (node.type.name === 'unknown' || node.type.name === 'image') return source
  const known = written.get(node)
  if (known !== undefined) return known
  const made = make(node)
  const json = isObject(source) && sameJson(normalOf(source, node), made) ? source : made
  written.set(node, json)
  return json
}

const normals = new WeakMap<object, unknown>()

/** A source as the writer would write it: without it, texts would be joined and empty ones added in blocks that nobody has changed. */
function normalOf(source: JsonObject, like: Node): unknown {
  const known = normals.get(source)
  if (known !== undefined) return known
  const node =
    like.type.name === 'list_item'
      ? readBlock({ type: 'list', format: 'unordered', children: [source] }).firstChild
      : readBlock(source)
  const normal = !node || node.type.name === 'unknown' ? null : make(node)
  normals.set(source, normal)
  return normal
}

const types: Readonly<Record<string, string>> = { code_block: 'code', list_item: 'list-item' }

/** Members that belong to one type only: they end with it, while others stay. */
const ofTypes = ['level', 'format', 'language', 'syntax', 'indentLevel']

function make(node: Node): JsonObject {
  const { source, level, format } = node.attrs
  const name = node.type.name
  const type = types[name] ?? name
  const kept = !isObject(source) ? {} : source.type === type ? source : without(source, ofTypes)
  const children = name === 'list' ? node.children.map(writeBlock) : writeInline(node.children)
  return {
    ...kept,
    type,
    ...(name === 'heading' && { level }),
    ...(name === 'list' && { format }),
    children,
  }
}

const linkOf = (node: Node): Mark | undefined => node.marks.find(({ type }) => type.name === 'link')

/** Texts and links, with a text before, between and after links, as editors of this format write them. */
function writeInline(nodes: readonly Node[]): readonly unknown[] {
  const list: unknown[] = []
  let linked: { readonly mark: Mark; readonly nodes: Node[] } | undefined
  const endLink = (): void => {
    if (!linked) return
    const { url, rest } = linked.mark.attrs as { readonly url: string; readonly rest: JsonObject | null }
    list.push({ ...rest, type: 'link', url, children: spaced(linked.nodes.map(writeLeaf)) })
    linked = undefined
  }
  for (const node of nodes) {
    const mark = linkOf(node)
    if (mark && linked?.mark.eq(mark)) {
      linked.nodes.push(node)
      continue
    }
    endLink()
    if (mark) linked = { mark, nodes: [node] }
    else list.push(writeLeaf(node))
  }
  endLink()
  return spaced(list)
}

function spaced(list: readonly unknown[]): readonly unknown[] {
  const isText = (json: unknown): boolean => isObject(json) && json.type === 'text'
  const all = list.flatMap((json, i) => (isText(json) || isText(list[i - 1]) ? [json] : [emptyText, json]))
  return isText(all.at(-1)) ? all : [...all, emptyText]
}

function writeLeaf(node: Node): unknown {
  if (!node.isText) return node.attrs.source as unknown
  const rest = node.marks.find(({ type }) => type.name === 'more')?.attrs.rest as JsonObject | undefined
  const set = flags.filter((flag) => node.marks.some(({ type }) => type.name === flag))
  return {
    type: 'text',
    text: node.text ?? '',
    ...rest,
    ...Object.fromEntries(set.map((flag) => [flag, true])),
  }
}

/** The words of blocks, a line for each, to be read where no editor is. */
export const wordsOf = (value: readonly unknown[] | null): string => {
  const doc = readBlocks(value)
  return doc.textBetween(0, doc.content.size, '\n', '\u25A1')
}
