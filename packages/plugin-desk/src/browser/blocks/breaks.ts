/** The line breaks of pasted HTML, as browsers show them. */

const blocks =
  'address, article, aside, blockquote, body, caption, center, dd, details, dialog, div, dl, dt, fieldset, figcaption, figure, footer, form, ' +
  'h1, h2, h3, h4, h5, h6, header, hgroup, hr, legend, li, main, menu, nav, ol, option, p, pre, search, section, summary, table, tbody, td, ' +
  'tfoot, th, thead, tr, ul'

/** Elements in which a line of its own may stand between others. */
const bodies = 'body, div, section, article, main'

const isBlock = (node: Node | null): boolean => node instanceof Element && node.matches(blocks)

/** Whether a node has nothing that is shown, as the line ends between elements. */
const isNothing = (node: Node): boolean =>
  node.nodeType === Node.COMMENT_NODE ||
  (node.nodeType === Node.TEXT_NODE && /^[ \t\r\n]*$/.test(node.nodeValue ?? ''))

type Side = 'previousSibling' | 'nextSibling'

/** The neighbour of a node on one side: a `block`, more of its own `line`, or the `end` of the block around it. */
function beside(node: Node, side: Side): 'end' | 'block' | 'line' {
  let at: Node = node
  for (;;) {
    let next = at[side]
    while (next && isNothing(next)) next = next[side]
    if (next) return isBlock(next) ? 'block' : 'line'
    const { parentElement } = at
    if (!parentElement || isBlock(parentElement)) return 'end'
    at = parentElement
  }
}

/**
 * Takes away the breaks that browsers do not show, which are those at the end of a line that has something else, and makes paragraphs of
 * breaks that stand between blocks.
 */
export function asShown(body: HTMLElement): void {
  for (const br of body.querySelectorAll('br')) {
    const [before, behind] = [beside(br, 'previousSibling'), beside(br, 'nextSibling')]
    if (behind === 'line') continue
    const isOnlyOne = before === 'end' && behind === 'end'
    const isEmptyLine = br.parentElement?.closest(blocks)?.matches(isOnlyOne ? 'div' : bodies) === true
    if (before !== 'line' && isEmptyLine && (isOnlyOne || behind === 'block'))
      br.replaceWith(body.ownerDocument.createElement('p'))
    else br.remove()
  }
}
