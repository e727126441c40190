/** The document of an editor of blocks: the nodes of the stored JSON, and two that stand for what the editor does not know. */
import { type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model'
import { safeAddress, safePicture } from '../writing/address.ts'

/** The marks of texts, by the names that they have in the stored JSON. */
export const flags = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const

/** The JSON that a node was read from; its members that the editor does not know stay when the node is changed. */
const source = { default: null }

/** A block of text. Line breaks in it are characters. */
const textBlock = (tag: string, skip: readonly string[] = []): NodeSpec => ({
  group: 'block',
  content: 'inline*',
  attrs: { source },
  whitespace: 'pre',
  parseDOM: [{ tag }, ...skip.map((inner) => ({ tag: inner, context: `${tag}/`, skip: true as const }))],
  toDOM: () => [tag, 0],
})

/** The bar of a quote and the marks of a list stand at the side at which their text begins, whatever the language of the pages is. */
const sided = { dir: 'auto' } as const

const atom = {
  atom: true,
  attrs: { source },
  draggable: true,
  selectable: true,
} as const

/** Atoms carry their JSON to the clipboard and back. */
const carried = (type: string) => ({
  tag: `[data-octavo="${type}"]`,
  priority: 90,
  getAttrs: (element: HTMLElement) => {
    try {
      const source = JSON.parse(element.dataset.json ?? '') as unknown
      // The clipboard may have anything from another page.
      return type !== 'image' || isPicture(source) ? { source } : (false as const)
    } catch {
      return false as const
    }
  },
})

const isPicture = (json: unknown): boolean =>
  typeof (json as { readonly image?: { readonly url?: unknown } } | null)?.image?.url === 'string'

const carry = (type: string, node: Node): Readonly<Record<string, string>> => ({
  'data-octavo': type,
  'data-json': JSON.stringify(node.attrs.source),
})

/** The image of a stored node. */
const pictureOf = (node: Node): Readonly<Record<string, unknown>> =>
  (node.attrs.source as { readonly image: Readonly<Record<string, unknown>> }).image // checked where nodes are made

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function imageDom(node: Node): DOMOutputSpec {
  const { url, alternativeText, name } = pictureOf(node)
  const src = safePicture(textOf(url))
  return [
    'figure',
    { ...carry('image', node), class: 'block-image' },
    src === undefined
      ? ['span', { class: 'unknown' }, textOf(name) || textOf(url)]
      : ['img', { src, alt: textOf(alternativeText), title: textOf(name) }],
  ]
}

/** The type of a node that the editor does not know, to be shown. */
const typeIn = (json: unknown): string => textOf((json as { readonly type?: unknown } | null)?.type) || 'JSON'

const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block+', attrs: { source } },
  paragraph: {
    ...textBlock('p'),
    parseDOM: [
      { tag: 'li p', context: 'list_item/', skip: true },
      { tag: 'blockquote p', context: 'quote/', skip: true },
      { tag: 'p' },
    ],
  },
  heading: {
    ...textBlock('h2'),
    attrs: { source, level: { default: 2 } },
    defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: (node) => [`h${node.attrs.level}`, 0],
  },
  quote: { ...textBlock('blockquote'), defining: true, toDOM: () => ['blockquote', sided, 0] },
  code_block: {
    ...textBlock('pre'),
    content: 'text*',
    marks: `more ${flags.join(' ')}`,
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', ['code', 0]],
  },
  list: {
    group: 'block',
    content: '(list_item | list | unknown)+',
    attrs: { source, format: { default: 'unordered' } },
    parseDOM: [
      { tag: 'ul', attrs: { format: 'unordered' } },
      { tag: 'ol', attrs: { format: 'ordered' } },
    ],
    toDOM: (node) => [node.attrs.format === 'ordered' ? 'ol' : 'ul', sided, 0],
  },
  list_item: { ...textBlock('li'), group: '', defining: true },
  image: { ...atom, group: 'block', parseDOM: [carried('image')], toDOM: imageDom },
  unknown: {
    ...atom,
    group: 'block',
    parseDOM: [carried('unknown')],
    toDOM: (node) => [
      'div',
      { ...carry('unknown', node), class: 'unknown' },
      `{ ${typeIn(node.attrs.source)} }`,
    ],
  },
  text: { group: 'inline' },
  unknown_inline: {
    ...atom,
    group: 'inline',
    inline: true,
    parseDOM: [carried('unknown-inline')],
    toDOM: (node) => [
      'span',
      { ...carry('unknown-inline', node), class: 'unknown' },
      `{ ${typeIn(node.attrs.source)} }`,
    ],
  },
}

const flagMark = (tag: string, ...others: readonly string[]): MarkSpec => ({
  parseDOM: [tag, ...others].map((one) => (one.includes('=') ? { style: one } : { tag: one })),
  toDOM: () => [tag, 0],
})

const marks: Record<string, MarkSpec> = {
  link: {
    attrs: { url: {}, rest: { default: null } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => {
          const url = safeAddress(element.getAttribute('href') ?? '')
          return url === undefined ? false : { url }
        },
      },
    ],
    toDOM: ({ attrs }) => {
      const url = safeAddress(String(attrs.url))
      // An address that the editor would not take is text: nobody follows it.
      return ['a', url === undefined ? { class: 'unsafe' } : { href: url, rel: 'noreferrer' }, 0]
    },
  },
  bold: flagMark('strong', 'b', 'font-weight=bold'),
  italic: flagMark('em', 'i', 'font-style=italic'),
  underline: flagMark('u'),
  strikethrough: flagMark('s', 'del', 'strike'),
  code: flagMark('code'),
  /** Members of a text that the editor does not know. */
  more: { attrs: { rest: {} }, toDOM: () => ['span', 0] },
}

export const schema = new Schema({ nodes, marks })
