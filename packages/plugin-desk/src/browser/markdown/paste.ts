/** Pasted text of word processors and web pages as Markdown: headings, lists, links, tables and marks. Pictures are left out. */
import { syntaxTree } from '@codemirror/language'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import { foreignHtml } from '../writing/foreign-html.ts'
import { escaped } from './commands.ts'

/** Elements that Markdown has signs for. */
const meant =
  'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, table, hr, a[href], strong, b, em, i, s, del, strike, code'

/** Elements that begin a line of their own. */
const ofBlocks =
  'address, article, aside, blockquote, caption, dd, details, div, dl, dt, fieldset, figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, summary, table, ul'

const notShown =
  'script, style, template, title, head, img, svg, iframe, object, video, audio, button, select, textarea'

/** Signs that also work within a word, where the line that the tools write for italics has no meaning. */
const signs: Readonly<Record<string, string>> = {
  ...{ strong: '**', b: '**', em: '*', i: '*', s: '~~', del: '~~', strike: '~~' },
}

/** Whether HTML is the source of a program, as editors of code copy it: its signs are meant as they are. */
const isSource = (body: HTMLElement): boolean => {
  const [first, ...others] = body.children
  return (
    others.length === 0 &&
    first?.matches('pre, [data-style*="white-space: pre" i], [data-style*="white-space:pre" i]') === true
  )
}

/**
 * HTML of the clipboard as Markdown.
 *
 * @returns `undefined` for what has nothing that its plain text lacks
 */
export function markdownOf(html: string): string | undefined {
  const body = foreignHtml(html)
  for (const element of body.querySelectorAll(notShown)) element.remove()
  if (isSource(body) || !body.querySelector(meant)) return undefined
  const text = blocksIn(body).join('\n\n')
  return text === '' ? undefined : text
}

/** Signs that would have a meaning. Between spaces they have none, and neither have lines within words. */
const literal = (text: string): string =>
  text
    .replaceAll(/\\|`|<|\*(?=\S)|(?<=\S)\*|(?<![\p{L}\d])_(?=\S)|(?<=\S)_(?![\p{L}\d])|\](?=\()|~~/gu, '\\$&')
    .replaceAll('\u00a0', ' ')

/** Signs at the beginning of a line that would make a heading, a quote or a list of it. */
const asLines = (text: string): string =>
  text.replaceAll(/^(\d*)(#{1,6}(?= )|>|[-+](?= )|[.)](?= ))/gm, '$1\\$2')

/** Puts signs around words, within the spaces at their ends. */
function marked(text: string, sign: string): string {
  const words = text.trim()
  if (words === '') return text
  const start = text.indexOf(words)
  return `${text.slice(0, start)}${sign}${words}${sign}${text.slice(start + words.length)}`
}

/** Code with more signs around it than are in it. */
function codeOf(text: string): string {
  const sign = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([found]) => found.length)))
  const space = /^`|`$/.test(text) ? ' ' : ''
  return `${sign}${space}${text}${space}${sign}`
}

/** The words of nodes in a line. @param open The signs that are around them. */
function inline(nodes: Iterable<Node>, open: readonly string[] = []): string {
  let text = ''
  let former: string | undefined
  for (const node of nodes) {
    const sign = node instanceof Element ? signs[node.localName] : undefined
    const words =
      node instanceof Element
        ? inlineElement(node, open)
        : node.nodeType === Node.TEXT_NODE
          ? literal((node.textContent ?? '').replaceAll(/[ \t\r\n]+/g, ' '))
          : ''
    // Word processors divide words with one mark into several elements.
    const isOne = sign !== undefined && sign === former && text.endsWith(sign) && words.trim() !== ''
    text = isOne ? text.slice(0, -sign.length) + words.replace(sign, '') : text + words
    former = sign
  }
  return text
}

function inlineElement(element: Element, open: readonly string[]): string {
  const name = element.localName
  const sign = signs[name]
  if (name === 'br') return '\n'
  if (name === 'code' || name === 'kbd' || name === 'samp') {
    const words = element.textContent.trim()
    return words === '' ? '' : codeOf(words)
  }
  if (sign !== undefined && !open.includes(sign))
    return marked(inline(element.childNodes, [...open, sign]), sign)
  const words = inline(element.childNodes, open)
  const href = name === 'a' ? (element.getAttribute('href') ?? '') : ''
  if (!/^(?:https?:|mailto:|tel:|\/(?!\/))/i.test(href) || words.trim() === '') return words
  const label = words
    .trim()
    .replaceAll(/(?<!\\)[[\]]/g, '\\$&')
    .replaceAll('\n', ' ')
  return words.replace(words.trim(), () => `[${label}](${escaped(href)})`)
}

/** A paragraph. Its lines end with two spaces, which make a break. */
function paragraph(nodes: readonly Node[]): string {
  const lines = inline(nodes)
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' ').trim())
  return asLines(lines.join('\n').trim()).replaceAll(/\n+/g, '  \n')
}

const oneLine = (nodes: Iterable<Node>): string => inline(nodes).replaceAll(/\s+/g, ' ').trim()

/** The blocks in an element, each without an empty line at its ends. */
function blocksIn(element: Element): readonly string[] {
  const blocks: string[] = []
  let line: Node[] = []
  const end = (): void => {
    blocks.push(paragraph(line))
    line = []
  }
  for (const node of element.childNodes) {
    const isBlock =
      node instanceof Element && (node.matches(ofBlocks) || node.querySelector(ofBlocks) !== null)
    if (!isBlock) line.push(node)
    else {
      end()
      blocks.push(...blockOf(node))
    }
  }
  end()
  return blocks.filter((block) => block !== '')
}

function blockOf(element: Element): readonly string[] {
  const name = element.localName
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level !== undefined)
    return [`${'#'.repeat(Number(level))} ${oneLine(element.childNodes)}`].filter((one) => /\S* ./.test(one))
  if (name === 'hr') return ['---']
  if (name === 'pre') return [fenced(element.textContent.replace(/\n$/, ''))]
  if (name === 'ul' || name === 'ol') return [listOf(element)]
  if (name === 'table') return tableOf(element as HTMLTableElement)
  if (name === 'blockquote')
    return [blocksIn(element).join('\n\n').replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>')]
  return blocksIn(element)
}

function fenced(code: string): string {
  const sign = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([found]) => found.length + 1)))
  return `${sign}\n${code}\n${sign}`
}

function listOf(list: Element): string {
  let number = Number(list.getAttribute('start') ?? 1)
  const items: string[] = []
  for (const child of list.children) {
    // Some programs put a list beside the item that it belongs to.
    const isItem = !child.matches('ul, ol')
    const sign = list.localName === 'ol' ? `${number}. ` : '- '
    const words = (isItem ? blocksIn(child) : blockOf(child)).join('\n\n').replaceAll(/\n\n(?=[-\d])/g, '\n')
    const indented = words.replaceAll(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`)
    items.push(isItem ? `${sign}${indented}` : `${' '.repeat(sign.length)}${indented}`)
    if (isItem) number += 1
  }
  return items.join('\n')
}

/** A table, whose first row is its head. One of a single cell is the text in it. */
function tableOf(table: HTMLTableElement): readonly string[] {
  const rows = [...table.rows].map((row) => [...row.cells])
  const [first = []] = rows
  if (rows.length === 1 && first.length === 1 && first[0]) return blocksIn(first[0])
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const lines = rows.map((cells) => {
    const words = cells.map((cell) => oneLine(cell.childNodes).replaceAll('|', '\\|'))
    return `| ${[...words, ...Array<string>(width - words.length).fill('')].join(' | ')} |`
  })
  const caption = table.caption ? [paragraph([...table.caption.childNodes])] : []
  return [...caption, [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')]
}

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>

/** Whether the caret is in code, in which signs have no meaning. */
const isInCode = (state: EditorState): boolean => {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(state.selection.main.head, -1)
  while (node && !node.name.includes('Code')) node = node.parent
  return node !== null
}

/** The change that puts pasted HTML in the place of the selection; `undefined` where the editor pastes the plain text. */
export function pasting(state: EditorState, html: string): TransactionSpec | undefined {
  const text = html === '' || isInCode(state) ? undefined : markdownOf(html)
  if (text === undefined) return undefined
  const { from, to } = state.selection.main
  const [before, after] = [state.doc.lineAt(from), state.doc.lineAt(to)]
  const isBlock = text.includes('\n') || /^(?:#{1,6} |[-|>] |\d+\. |```)/.test(text)
  const start = isBlock && before.text.slice(0, from - before.from).trim() !== '' ? '\n\n' : ''
  const end = isBlock && after.text.slice(to - after.from).trim() !== '' ? '\n\n' : ''
  return {
    ...state.replaceSelection(`${start}${text}${end}`),
    userEvent: 'input.paste',
    scrollIntoView: true,
  }
}
