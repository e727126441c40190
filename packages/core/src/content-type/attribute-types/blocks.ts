/**
 * Rich text as a list of blocks:
 *
 *     [ { type: 'heading', level: 2, children: [ { type: 'text', text: 'On', bold: true } ] },
 *       { type: 'paragraph', children: [ { type: 'link', url: '/a', children: [ { type: 'text', text: 'a' } ] } ] },
 *       { type: 'list', format: 'unordered', children: [ { type: 'list-item', children: [ ...inline ] } ] },
 *       { type: 'image', image: { name, url, ... }, children: [ { type: 'text', text: '' } ] } ]
 *
 * A list may contain lists. Other keys are stored unchanged.
 * Source: recorded behaviour, "The attribute type `blocks`", and the output of editors of this format.
 */
import { InvalidValue, type ScalarType } from '../attribute-type.ts'
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
    checkList(value, '', checkBlock, 'blocks')
    return text
  },
}

type Check = (node: unknown, at: string) => void
type Node = Readonly<Record<string, unknown>>

const blockChecks = new Map<unknown, (node: Node, at: string) => void>([
  ['paragraph', checkInline],
  ['quote', checkInline],
  ['heading', checkHeading],
  ['code', checkCode],
  ['list', checkListNode],
  ['image', checkImage],
])

function checkBlock(value: unknown, at: string): void {
  const node = asNode(value, at)
  const check = blockChecks.get(node.type)
  if (!check) refuse(at, `one of the types ${[...blockChecks.keys()].join(', ')}`)
  check(node, at)
}

function checkInline(node: Node, at: string): void {
  checkChildren(node, at, checkInlineNode, 'text and link nodes')
}

function checkHeading(node: Node, at: string): void {
  const { level } = node
  if (typeof level !== 'number' || ![1, 2, 3, 4, 5, 6].includes(level))
    refuse(`${at}.level`, 'a whole number from 1 to 6')
  checkInline(node, at)
}

function checkCode(node: Node, at: string): void {
  optional(node, 'language', 'string', at)
  optional(node, 'syntax', 'string', at)
  checkChildren(node, at, checkText, 'text nodes')
}

function checkListNode(node: Node, at: string): void {
  if (node.format !== 'ordered' && node.format !== 'unordered') refuse(`${at}.format`, 'ordered or unordered')
  checkChildren(node, at, checkListChild, 'list-item nodes')
}

function checkListChild(value: unknown, at: string): void {
  const node = asNode(value, at)
  if (node.type === 'list') checkListNode(node, at)
  else if (node.type === 'list-item') checkInline(node, at)
  else refuse(at, 'a list-item or list node')
}

function checkImage(node: Node, at: string): void {
  const image = asNode(node.image, `${at}.image`)
  if (typeof image.url !== 'string' || image.url === '') refuse(`${at}.image.url`, 'an address')
  for (const key of ['name', 'alternativeText', 'caption', 'hash', 'ext', 'mime', 'previewUrl', 'provider'])
    optional(image, key, 'string', `${at}.image`)
  for (const key of ['width', 'height', 'size']) optional(image, key, 'number', `${at}.image`)
  checkInline(node, at)
}

function checkInlineNode(value: unknown, at: string): void {
  const node = asNode(value, at)
  if (node.type === 'link') {
    if (!isLink(node.url)) refuse(`${at}.url`, 'an address such as https://example.org, /page or #part')
    checkChildren(node, at, checkText, 'text nodes')
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
function checkChildren(node: Node, at: string, check: Check, expected: string): void {
  checkList(node.children, `${at}.children`, check, expected)
  if (Array.isArray(node.children) && node.children.length === 0)
    refuse(`${at}.children`, `at least one of ${expected}`)
}

function checkList(value: unknown, at: string, check: Check, expected: string): void {
  if (!Array.isArray(value)) refuse(at, `a list of ${expected}`)
  for (const [i, item] of value.entries()) check(item, `${at}[${i}]`)
}

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
