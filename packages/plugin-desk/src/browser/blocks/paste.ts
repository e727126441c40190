/**
 * Pasted text of other programs. Only what the rules of the schema name enters the document; before, what word processors
 * write in styles becomes the elements that mean the same: `<span style="font-weight:700">` is bold, and Word's paragraphs
 * with bullets are lists. Styles and handlers of events get other names before the text is read: the policy of the pages would
 * run none, but report each.
 */
import { type ParseOptions, type ParseRule, DOMParser as Parser, Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { quietHtml } from '../writing/quiet.ts'
import { asShown } from './breaks.ts'
import { schema } from './schema.ts'

/** Stands for the line breaks of pasted HTML, in which white space has no meaning. */
const line = '\u2028'

const isOwn = (html: string): boolean => html.includes('data-pm-slice')

/** @param html The HTML of the clipboard. */
export function cleanedHtml(html: string): string {
  if (isOwn(html)) return html
  const { body } = new DOMParser().parseFromString(quietHtml(html), 'text/html')
  for (const marker of body.querySelectorAll('[data-style*="mso-list:ignore" i]')) listMark(marker)
  for (const element of body.querySelectorAll('[data-style]')) asElements(element)
  gatherLists(body)
  asShown(body)
  for (const element of body.querySelectorAll(otherBlocks)) asBlock(element)
  for (const br of body.querySelectorAll('br')) br.replaceWith(line)
  for (const second of body.querySelectorAll('li > p + p, li > div + div, blockquote > p + p'))
    second.prepend(line)
  return body.innerHTML
}

/** Elements that begin a line of their own, and that the parser reads as a part of the line before. */
const otherBlocks =
  'td, th, caption, dt, summary, details, main, nav, legend, center, option, dialog, menu, search, hgroup'

/** Puts the content of an element into a block, so that its words and those of its neighbours stay words. */
function asBlock(element: Element): void {
  const block = element.ownerDocument.createElement('div')
  block.append(...element.childNodes)
  element.append(block)
}

/** The bullet of Word's paragraph, which tells the kind of the list. */
function listMark(marker: Element): void {
  const paragraph = marker.closest('p')
  if (paragraph && /[\p{L}\d]+[.)]/u.test(marker.textContent)) paragraph.dataset.ordered = ''
  marker.remove()
}

const meanings: readonly (readonly [style: RegExp, tag: string])[] = [
  [/font-weight\s*:\s*(?:bold|bolder|[6-9]00)/i, 'strong'],
  [/font-style\s*:\s*(?:italic|oblique)/i, 'em'],
  [/text-decoration[a-z-]*\s*:[^;]*underline/i, 'u'],
  [/text-decoration[a-z-]*\s*:[^;]*line-through/i, 's'],
]

/** Puts the content of an element into elements that mean the same as its style. */
function asElements(element: Element): void {
  const style = element.getAttribute('data-style') ?? ''
  // Google Docs wraps all in a <b> that is not bold.
  if (/^(?:b|strong)$/i.test(element.tagName) && /font-weight\s*:\s*(?:normal|[1-4]00)/i.test(style)) {
    element.replaceWith(...element.childNodes)
    return
  }
  // Headings are bold, and links are underlined, without being marked as such.
  if (/^(?:h[1-6]|a)$/i.test(element.tagName) || element.closest('a')) return
  for (const [pattern, tag] of meanings) {
    if (!pattern.test(style)) continue
    const mark = element.ownerDocument.createElement(tag)
    mark.append(...element.childNodes)
    element.append(mark)
  }
}

/** Makes lists of the paragraphs that Word writes with a level in their style. */
function gatherLists(body: HTMLElement): void {
  let open: { readonly list: HTMLElement; readonly level: number }[] = []
  let last: Element | null = null
  for (const paragraph of body.querySelectorAll('p')) {
    const [, digits] = /mso-list:[^;]*\blevel(\d+)/i.exec(paragraph.getAttribute('data-style') ?? '') ?? []
    if (digits === undefined) continue
    const level = Number(digits)
    if (paragraph.previousElementSibling !== last) open = []
    open = open.filter((one) => one.level <= level)
    if (open.at(-1)?.level !== level) {
      const list = body.ownerDocument.createElement('ordered' in paragraph.dataset ? 'ol' : 'ul')
      const outer = open.at(-1)?.list
      if (outer) outer.append(list)
      else paragraph.before(list)
      open.push({ list, level })
    }
    const item = body.ownerDocument.createElement('li')
    item.append(...paragraph.childNodes)
    open.at(-1)?.list.append(item)
    last = open[0]?.list ?? null
    paragraph.remove()
  }
}

const { rules } = Parser.fromSchema(schema)

/** Keeps white space of what was copied in the desk, and none of what HTML of other programs has for its own look. */
class PasteParser extends Parser {
  readonly #foreign = new Parser(
    schema,
    rules.map((rule): ParseRule => (rule.tag === undefined ? rule : { preserveWhitespace: false, ...rule })),
  )

  override parseSlice(dom: Node, options?: ParseOptions): Slice {
    return options?.preserveWhitespace
      ? super.parseSlice(dom, options)
      : this.#foreign.parseSlice(dom, options)
  }
}

export const pasteParser: Parser = new PasteParser(schema, rules)

/** Makes line breaks of the characters that stand for them. */
export function withLines(slice: Slice, _: EditorView, isPlain: boolean): Slice {
  if (isPlain) return slice
  const json = slice.toJSON() as object | null
  const text = JSON.stringify(json)
  return text.includes(line) ? Slice.fromJSON(schema, JSON.parse(text.replaceAll(line, '\\n'))) : slice
}
