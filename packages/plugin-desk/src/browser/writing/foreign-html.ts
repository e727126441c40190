/**
 * HTML of other programs, in which what word processors write in styles has become the elements that mean the same:
 * `<span style="font-weight:700">` is bold, and Word's paragraphs with bullets are lists. Styles and handlers of events get other names before
 * the text is read: the policy of the pages would run none, but report each.
 */
import { quietHtml } from './quiet.ts'

/** The elements of pasted HTML. Styles are in `data-style`. */
export function foreignHtml(html: string): HTMLElement {
  const { body } = new DOMParser().parseFromString(quietHtml(html), 'text/html')
  for (const marker of body.querySelectorAll('[data-style*="mso-list:ignore" i]')) listMark(marker)
  for (const element of body.querySelectorAll('[data-style]')) asElements(element)
  gatherLists(body)
  return body
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
