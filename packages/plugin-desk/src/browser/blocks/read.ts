/** Reads stored blocks into a document. */
import type { Mark, Node } from 'prosemirror-model'
import { flags, schema } from './schema.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const without = (json: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))

/** The document of a value. A block that the editor does not know becomes a node that carries its JSON. */
export function readBlocks(value: readonly unknown[] | null | undefined): Node {
  const blocks = (value ?? []).map(readBlock)
  return schema.node(
    'doc',
    { source: value ?? null },
    blocks.length > 0 ? blocks : [schema.node('paragraph')],
  )
}

/** The node of a block; an unknown one is `unknown`. */
export function readBlock(json: unknown): Node {
  const node = isObject(json) && Array.isArray(json.children) ? readKnown(json, json.children) : undefined
  return node ?? schema.node('unknown', { source: json })
}

function readKnown(json: JsonObject, children: readonly unknown[]): Node | undefined {
  const source = json
  switch (json.type) {
    case 'paragraph':
    case 'quote':
      return schema.node(json.type, { source }, readInline(children))
    case 'heading':
      return [1, 2, 3, 4, 5, 6].some((level) => level === json.level)
        ? schema.node('heading', { source, level: json.level }, readInline(children))
        : undefined
    case 'code':
      return children.every(isText) ? schema.node('code_block', { source }, readInline(children)) : undefined
    case 'list':
      return readList(json, children)
    case 'image':
      return isObject(json.image) && typeof json.image.url === 'string'
        ? schema.node('image', { source })
        : undefined
    default:
      return undefined
  }
}

function readList(source: JsonObject, children: readonly unknown[]): Node | undefined {
  const { format } = source
  if (children.length === 0 || (format !== 'ordered' && format !== 'unordered')) return undefined
  return schema.node(
    'list',
    { source, format },
    children.map((child) => {
      if (isObject(child) && child.type === 'list-item' && Array.isArray(child.children))
        return schema.node('list_item', { source: child }, readInline(child.children))
      const inner = isObject(child) && child.type === 'list' ? readBlock(child) : undefined
      return inner ?? schema.node('unknown', { source: child })
    }),
  )
}

const isText = (json: unknown): json is JsonObject & { readonly text: string } =>
  isObject(json) && json.type === 'text' && typeof json.text === 'string'

/** Texts without a letter have no node: the writer sets them again. */
function readInline(children: readonly unknown[], marks: readonly Mark[] = []): Node[] {
  return children.flatMap((child): readonly Node[] => {
    if (isText(child)) return child.text === '' ? [] : [readText(child, marks)]
    const link = marks.length === 0 && isObject(child) && child.type === 'link' ? readLink(child) : []
    return link.length > 0 ? link : [schema.node('unknown_inline', { source: child }, [], marks)]
  })
}

function readText(json: JsonObject & { readonly text: string }, marks: readonly Mark[]): Node {
  const own = flags.filter((flag) => json[flag] === true)
  const rest = without(json, ['type', 'text', ...own])
  const all = [
    ...own.map((flag) => schema.mark(flag)),
    ...(Object.keys(rest).length > 0 ? [schema.mark('more', { rest })] : []),
  ].reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), marks)
  return schema.text(json.text, all)
}

/** @returns nothing for a link without a letter, which a document cannot have */
function readLink(json: JsonObject): readonly Node[] {
  if (typeof json.url !== 'string' || !Array.isArray(json.children)) return []
  const rest = without(json, ['type', 'url', 'children'])
  const attrs = { url: json.url, rest: Object.keys(rest).length > 0 ? rest : null }
  return readInline(json.children, [schema.mark('link', attrs)])
}
