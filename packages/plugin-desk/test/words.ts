/** Whether the words of a page stay whole, for tests in Chromium. */

/** Runs in the page: the words of which a line has a part only, each with the element that it is in. */
export function brokenWords(): readonly string[] {
  /** Scripts whose lines may end after each letter. */
  const anywhere = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
  /** A line may end after these signs as well, of which some are not seen. */
  const ends = /(?<=[\s\-‐–—/|·…\u00AD\u200B])/u
  const range = document.createRange()
  const isSeen = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true })
  }
  /** The lines that a part of a text lies on. */
  const linesOf = (node: Text, from: number, to: number): number => {
    range.setStart(node, from)
    range.setEnd(node, to)
    const tops = [...range.getClientRects()]
      .filter(({ width }) => width > 0)
      .map(({ top }) => Math.round(top))
    return new Set(tops).size
  }
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const { parentElement: parent, data } = node
    if (!parent || data.trim() === '' || !isSeen(parent)) continue
    let at = 0
    for (const word of data.split(ends)) {
      const letters = word.trim()
      if (letters.length > 1 && !anywhere.test(letters) && linesOf(node, at, at + letters.length) > 1)
        found.push(
          `${letters} in ${parent.tagName.toLowerCase()}.${parent.className} of ${data.slice(0, 60)}`,
        )
      at += word.length
    }
  }
  return found
}

/** Runs in the page: the elements whose content is cut, or that reach out of the window, each with its first words. */
export function overflowing(): readonly string[] {
  const { clientWidth } = document.documentElement
  const named = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${element.className} ${(element.textContent ?? '').slice(0, 40)}`
  const canvas = document.createElement('canvas').getContext('2d')
  /** Whether a field has no room for the words that it shows of itself: its option, or what is to be written. */
  const hidesWords = (element: Element): boolean => {
    const isList = element instanceof HTMLSelectElement
    const words = isList
      ? element.selectedOptions[0]?.text
      : element instanceof HTMLInputElement && element.value === '' && element.placeholder
    if (!words || !canvas) return false
    const { font, paddingLeft, paddingRight, textOverflow } = getComputedStyle(element)
    if (!isList && textOverflow === 'ellipsis') return false
    canvas.font = font
    const room = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    return canvas.measureText(words).width > room - (isList ? 16 : 0)
  }
  const isScrolled = (element: Element | null): boolean =>
    element !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || isScrolled(element.parentElement))
  return [...document.querySelectorAll('body *')].flatMap((element) => {
    const { left, right, width, height } = element.getBoundingClientRect()
    if (width < 2 || height < 2 || !element.checkVisibility({ visibilityProperty: true })) return []
    const style = getComputedStyle(element)
    const isOut = (right > clientWidth + 1 || left < -1) && !isScrolled(element.parentElement)
    const isCut =
      element.scrollWidth > element.clientWidth + 1 &&
      style.display !== 'inline' &&
      !element.matches('input, textarea, select') &&
      style.textOverflow !== 'ellipsis' &&
      !isScrolled(element)
    if (hidesWords(element)) return [`its words are cut: ${named(element)}`]
    return [
      ...(isOut ? [`out of the window: ${named(element)}`] : []),
      ...(isCut ? [`too narrow: ${named(element)}`] : []),
    ]
  })
}
