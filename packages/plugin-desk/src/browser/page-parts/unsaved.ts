import { type RefObject, useEffect, useRef } from 'react'
import { useText } from '../text/index.ts'

/** A part of the page with something that may be lost. */
interface Guard {
  readonly isLost: () => boolean
  readonly question: string
  /** The element with what may be lost; absent where it is the page. */
  readonly place?: RefObject<Element | null> | undefined
}

const guards = new Set<Guard>()

/** The guard of something that would be lost if the page, or a part of it, were left now. */
const losing = (part?: Element): Guard | undefined =>
  [...guards].find(({ isLost, place }) => (!part || part.contains(place?.current ?? null)) && isLost())

/**
 * Whether the page, or a part of it such as a dialog, may be left: the person is asked where something would be lost.
 *
 * @param part Default: the page.
 */
export function mayLeave(part?: Element): boolean {
  const guard = losing(part)
  return guard === undefined || window.confirm(guard.question)
}

/** The place of the present page in the history; `undefined` in browsers without the Navigation API. */
const placeInHistory = (): number | undefined =>
  (window as { readonly navigation?: { readonly currentEntry: { readonly index: number } | null } })
    .navigation?.currentEntry?.index

const addressOfPage = (): string => `${location.pathname}${location.search}`

/** The page of the guards, and its place in the history. */
let page = ''
let here: number | undefined

function askAtStep(event: PopStateEvent): void {
  if (guards.size === 0) return
  const now = placeInHistory()
  if (addressOfPage() === page) {
    here = now
    return
  }
  if (mayLeave()) return
  // The browser has left already: a person who stays is brought back, before the router hears of it.
  event.stopImmediatePropagation()
  // Without the Navigation API the direction is not known: people go back more than forward.
  history.go(here === undefined || now === undefined ? 1 : here - now)
}

function askAtLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  if (link.getAttribute('href')?.startsWith('#') || link.hasAttribute('download') || mayLeave()) return
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Asks before a page with guards is left by a link, through the history or by closing it. Steps in the history are heard before the router
 * hears of them: Chromium calls these listeners in the order in which they are added, so this is called before the pages are drawn.
 */
export function watchLeaving(): void {
  window.addEventListener('popstate', askAtStep)
  window.addEventListener('beforeunload', (event) => {
    if (losing()) event.preventDefault()
  })
  // Before the link hears of it.
  document.addEventListener('click', askAtLink, true)
}

/**
 * Reloads a page that the browser has stored and brings back, because the session, the entry and the copies on the device may have changed. Typed
 * text is in such a copy.
 */
export function watchReturning(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

const boxes: ReadonlySet<string> = new Set(['checkbox', 'radio'])
/** Controls that browsers fill in by themselves, or that are worth nothing a moment later. */
const passing: readonly string[] = ['current-password', 'one-time-code']

/** Whether a control has something else than when it was drawn. */
const isWritten = (control: HTMLInputElement | HTMLTextAreaElement): boolean =>
  control instanceof HTMLInputElement && boxes.has(control.type)
    ? control.checked !== control.defaultChecked
    : control.value !== control.defaultValue && !passing.includes(control.autocomplete)

/** Whether the forms in a part of the page have what was written and not saved. */
export const hasWritten = (place: Element): boolean =>
  [...place.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('form :is(input, textarea)')].some(
    isWritten,
  )

/** Takes what is written in a form for saved. */
export function nowSaved(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'))
    if (control instanceof HTMLInputElement && boxes.has(control.type))
      control.defaultChecked = control.checked
    else control.defaultValue = control.value
}

/** Controls with a text that may be read by anybody who sees the page. */
const texts = 'form :is(textarea, input:is([type=text], [type=email], [type=url], :not([type])))'

/** Entries that are open, each with the words that are not saved. */
const open = new Set<() => readonly string[]>()

/** The words of an entry that are not saved, for {@link unsavedWords}. */
export function useUnsavedWords(words: () => readonly string[]): void {
  const latest = useRef(words)
  useEffect(() => {
    latest.current = words
  })
  useEffect(() => {
    const ofNow = () => latest.current()
    open.add(ofNow)
    return () => void open.delete(ofNow)
  }, [])
}

/** Returns the unsaved text of the page, from its entries and from its other forms. The name of the field is above each text. */
export const unsavedWords = (): readonly string[] => [
  ...[...open].flatMap((words) => words()),
  ...[...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(texts)].flatMap((control) =>
    isWritten(control) ? [`${control.labels?.[0]?.textContent ?? ''}\n${control.value}`] : [],
  ),
]

/**
 * @param isLost Whether something would be lost if the page were left now. Called when the person is about to leave it.
 * @param words The question. Default: that about changes that are not saved.
 * @param place The element with what may be lost, where a part of the page with it may be left by itself.
 * @returns a function that asks before this part of the page is left
 */
export function useUnsaved(
  isLost: () => boolean,
  words?: string,
  place?: RefObject<Element | null>,
): () => boolean {
  const { leaveUnsaved } = useText()
  const question = words ?? leaveUnsaved
  const latest = useRef(isLost)
  useEffect(() => {
    latest.current = isLost
    page = addressOfPage()
    here = placeInHistory()
  })
  useEffect(() => {
    const guard = { isLost: () => latest.current(), question, place }
    guards.add(guard)
    return () => void guards.delete(guard)
  }, [question, place])
  return () => !isLost() || window.confirm(question)
}
