/**
 * Rich text as a list of blocks:
 *
 *     [ { type: 'heading', level: 2, children: [ { type: 'text', text: 'On', bold: true } ] },
 *       { type: 'paragraph', children: [ { type: 'link', url: '/a', children: [ { type: 'text', text: 'a' } ] } ] },
 *       { type: 'list', format: 'unordered', children: [ { type: 'list-item', children: [ ...inline ] } ] },
 *       { type: 'image', image: { name, url, ... }, children: [ { type: 'text', text: '' } ] } ]
 *
 * A list may contain lists. Other keys are stored unchanged. Nodes of other types, which another system has stored, may remain beside what
 * is changed; new ones are refused.
 * Source: recorded behaviour, "The attribute type `blocks`", and the output of editors of this format.
 */
import { InvalidUnlessStored, InvalidValue, type ScalarType, type UnknownPart } from '../attribute-type.ts'
import { isPlainObject, jsonLike, toJsonText } from './json.ts'

export interface TextNode {
  readonly type: 'text'
  readonly text: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strikethrough?: boolean
  readonly code?: boolean
}

export interface LinkNode {
  readonly type: 'link'
  /** Absolute with a scheme, or relative, beginning with `/`, `#` or `?`. */
  readonly url: string
  readonly children: readonly TextNode[]
}

export type InlineNode = TextNode | LinkNode

export interface ListNode {
  readonly type: 'list'
  readonly format: 'ordered' | 'unordered'
  readonly children: readonly (ListItemNode | ListNode)[]
}

export interface ListItemNode {
  readonly type: 'list-item'
  readonly children: readonly InlineNode[]
}

export type BlockNode =
  | { readonly type: 'paragraph' | 'quote'; readonly children: readonly InlineNode[] }
  | {
      readonly type: 'heading'
      readonly level: 1 | 2 | 3 | 4 | 5 | 6
      readonly children: readonly InlineNode[]
    }
  | { readonly type: 'code'; readonly language?: string | null; readonly children: readonly TextNode[] }
  | {
      readonly type: 'image'
      readonly image: { readonly url: string; readonly [key: string]: unknown }
      readonly children: readonly InlineNode[]
    }
  | ListNode

export const blocks: ScalarType = {
  ...jsonLike,
  name: 'blocks',
  fromJson: (value) => {
    // First, since it bounds the recursion of the check below.
    const text = toJsonText(value)
    const unknown: UnknownPart[] = []
    checkList(value, '', checkBlock, 'blocks', unknown)
    if (unknown.length > 0) throw new InvalidUnlessStored(text, unknown)
    return text
  },
}

/** Throws for a mistake; nodes of unknown types are added to the last argument. */
type Check = (node: unknown, at: string, unknown: UnknownPart[]) => void
type Node = Readonly<Record<string, unknown>>
type NodeCheck = (node: Node, at: string, unknown: UnknownPart[]) => void

const blockChecks = new Map<unknown, NodeCheck>([
  ['paragraph', checkInline],
  ['quote', checkInline],
  ['heading', checkHeading],
  ['code', checkCode],
  ['list', checkListNode],
  ['image', checkImage],
])
const knownTypes: ReadonlySet<unknown> = new Set([...blockChecks.keys(), 'list-item', 'link', 'text'])

function checkBlock(value: unknown, at: string, unknown: UnknownPart[]): void {
  const node = asNode(value, at)
  const check = blockChecks.get(node.type)
  if (!check) refuse(at, `one of the types ${[...blockChecks.keys()].join(', ')}`)
  check(node, at, unknown)
}

function checkInline(node: Node, at: string, unknown: UnknownPart[]): void {
  checkChildren(node, at, checkInlineNode, 'text and link nodes', unknown)
}

function checkHeading(node: Node, at: string, unknown: UnknownPart[]): void {
  const { level } = node
  if (typeof level !== 'number' || ![1, 2, 3, 4, 5, 6].includes(level))
    refuse(`${at}.level`, 'a whole number from 1 to 6')
  checkInline(node, at, unknown)
}

function checkCode(node: Node, at: string, unknown: UnknownPart[]): void {
  optional(node, 'language', 'string', at)
  optional(node, 'syntax', 'string', at)
  checkChildren(node, at, checkText, 'text nodes', unknown)
}

function checkListNode(node: Node, at: string, unknown: UnknownPart[]): void {
  if (node.format !== 'ordered' && node.format !== 'unordered') refuse(`${at}.format`, 'ordered or unordered')
  checkChildren(node, at, checkListChild, 'list-item nodes', unknown)
}

function checkListChild(value: unknown, at: string, unknown: UnknownPart[]): void {
  const node = asNode(value, at)
  if (node.type === 'list') checkListNode(node, at, unknown)
  else if (node.type === 'list-item') checkInline(node, at, unknown)
  else refuse(at, 'a list-item or list node')
}

function checkImage(node: Node, at: string, unknown: UnknownPart[]): void {
  const image = asNode(node.image, `${at}.image`)
  if (typeof image.url !== 'string' || image.url === '') refuse(`${at}.image.url`, 'an address')
  for (const key of ['name', 'alternativeText', 'caption', 'hash', 'ext', 'mime', 'previewUrl', 'provider'])
    optional(image, key, 'string', `${at}.image`)
  for (const key of ['width', 'height', 'size']) optional(image, key, 'number', `${at}.image`)
  checkInline(node, at, unknown)
}

function checkInlineNode(value: unknown, at: string, unknown: UnknownPart[]): void {
  const node = asNode(value, at)
  if (node.type === 'link') {
    if (!isLink(node.url)) refuse(`${at}.url`, 'an address such as https://example.org, /page or #part')
    checkChildren(node, at, checkText, 'text nodes', unknown)
  } else if (node.type === 'text') checkText(node, at)
  else refuse(at, 'a text or link node')
}

function checkText(value: unknown, at: string): void {
  const node = asNode(value, at)
  if (node.type !== 'text') refuse(at, 'a text node')
  if (typeof node.text !== 'string') refuse(`${at}.text`, 'text')
  for (const mark of ['bold', 'italic', 'underline', 'strikethrough', 'code'])
    optional(node, mark, 'boolean', at)
}

/** Rejects schemes such as `javascript:`, which would run code when the link is followed. */
const runs = /^(javascript|vbscript|data):/i

function isLink(url: unknown): boolean {
  if (typeof url !== 'string' || url === '') return false
  // Browsers drop control characters and outer spaces before they parse the scheme.
  const plain = [...url].filter((character) => character > ' ').join('')
  if (runs.test(plain)) return false
  return /^[/#?]/.test(url) || URL.canParse(url)
}

/** Every block has at least one child; editors write an empty text node for an empty block. */
function checkChildren(node: Node, at: string, check: Check, expected: string, unknown: UnknownPart[]): void {
  checkList(node.children, `${at}.children`, check, expected, unknown)
  if (Array.isArray(node.children) && node.children.length === 0)
    refuse(`${at}.children`, `at least one of ${expected}`)
}

function checkList(value: unknown, at: string, check: Check, expected: string, unknown: UnknownPart[]): void {
  if (!Array.isArray(value)) refuse(at, `a list of ${expected}`)
  for (const [i, item] of value.entries()) {
    try {
      check(item, `${at}[${i}]`, unknown)
    } catch (error) {
      if (!(error instanceof InvalidValue) || !isUnknown(item)) throw error
      unknown.push({ value: item, expected: error.message })
    }
  }
}

/** Whether the type of a node is not one of rich text. */
const isUnknown = (value: unknown): boolean =>
  isPlainObject(value) && typeof value.type === 'string' && !knownTypes.has(value.type)

function asNode(value: unknown, at: string): Node {
  if (!isPlainObject(value)) refuse(at, 'an object')
  return value
}

function optional(node: Node, key: string, type: 'string' | 'number' | 'boolean', at: string): void {
  const value = node[key]
  if (value !== undefined && value !== null && typeof value !== type) {
    refuse(`${at}.${key}`, type === 'string' ? 'text' : type === 'number' ? 'a number' : 'true or false')
  }
}

/** Throws with the place within the value: `rich text, with [0].level a whole number from 1 to 6`. */
function refuse(at: string, expected: string): never {
  throw new InvalidValue(at === '' ? expected : `rich text, with ${at} ${expected}`)
}
