/** Pasted text of other programs. Only what the rules of the schema name enters the document. */
import { type ParseOptions, type ParseRule, DOMParser as Parser, Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { foreignHtml } from '../writing/foreign-html.ts'
import { asShown } from './breaks.ts'
import { schema } from './schema.ts'

/** Stands for the line breaks of pasted HTML, in which white space has no meaning. */
const line = '\u2028'

const isOwn = (html: string): boolean => html.includes('data-pm-slice')

/** @param html The HTML of the clipboard. */
export function cleanedHtml(html: string): string {
  if (isOwn(html)) return html
  const body = foreignHtml(html)
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
