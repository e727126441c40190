import createPurifier from 'dompurify'
import { Marked } from 'marked'
import { useEffect, useRef } from 'react'
import { useText } from '../text/index.ts'
import { safeAddress, safePicture } from '../writing/address.ts'
import { quietHtml } from '../writing/quiet.ts'

const marked = new Marked({ gfm: true, async: false })

const purifier = createPurifier(window)

purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element instanceof HTMLAnchorElement) {
    const url = safeAddress(element.getAttribute('href') ?? '')
    element.removeAttribute('href')
    if (url === undefined) return
    element.setAttribute('href', url)
    // The text that is typed stays where it is.
    element.setAttribute('target', '_blank')
    element.setAttribute('rel', 'noreferrer')
  } else if (element instanceof HTMLImageElement) {
    const src = safePicture(element.getAttribute('src') ?? '')
    if (src === undefined) element.replaceWith(element.alt)
    else element.setAttribute('src', src)
  } else if (element.matches('blockquote, ul, ol') && !element.hasAttribute('dir'))
    // The bar, or the marks, stand at the side at which the text begins.
    element.setAttribute('dir', 'auto')
})

/** Only what a text shows: nothing that takes input, loads a page, or looks like a part of the desk. */
const bounds = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    'style',
    'form',
    'input',
    'button',
    'textarea',
    'select',
    'option',
    'video',
    'audio',
    'dialog',
  ],
  FORBID_ATTR: ['style', 'class', 'id', 'name', 'srcset', 'for', 'tabindex', 'role'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const

/** A text in Markdown as readers see it, as far as the desk knows. HTML in it is shown without what could harm. */
export function Preview({ value }: { value: string }) {
  const text = useText()
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const html = marked.parse(value) as string // not async
    place.current?.replaceChildren(
      purifier.sanitize(quietHtml(html), bounds as never) as unknown as DocumentFragment,
    )
  }, [value])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard
    <section ref={place} className="preview" tabIndex={0} aria-label={text.writing.preview} />
  )
}
