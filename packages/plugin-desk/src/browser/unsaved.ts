import { useEffect } from 'react'
import { useText } from './text/index.ts'

/** The place of the present page in the history; `undefined` in browsers without the Navigation API. */
const placeInHistory = (): number | undefined =>
  (window as { readonly navigation?: { readonly currentEntry: { readonly index: number } | null } })
    .navigation?.currentEntry?.index

const addressOfPage = (): string => `${location.pathname}${location.search}`

/** Asks before a step in the history, while something is not saved. */
let askInHistory: ((event: PopStateEvent) => void) | undefined

/**
 * Hears of steps in the history before the router does. Chromium calls these listeners in the order in which they are added, so this is
 * called before the pages are drawn.
 */
export function watchHistory(): void {
  window.addEventListener('popstate', (event) => askInHistory?.(event))
}

/** Asks before the page is left, by a link, through the history or by closing it, while something is not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  const text = useText()
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const askAtLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      if (link.getAttribute('href')?.startsWith('#') || window.confirm(text.leaveUnsaved)) return
      event.preventDefault()
      event.stopPropagation()
    }
    const page = addressOfPage()
    let here = placeInHistory()
    // The browser has left already: a person who stays is brought back, before the router hears of it.
    const askAtStep = (event: PopStateEvent) => {
      const now = placeInHistory()
      if (addressOfPage() === page) {
        here = now
        return
      }
      if (window.confirm(text.leaveUnsaved)) return
      event.stopImmediatePropagation()
      // Without the Navigation API the direction is not known: people go back more than forward.
      history.go(here === undefined || now === undefined ? 1 : here - now)
    }
    askInHistory = askAtStep
    window.addEventListener('beforeunload', ask)
    // Before the link hears of it.
    document.addEventListener('click', askAtLink, true)
    return () => {
      window.removeEventListener('beforeunload', ask)
      document.removeEventListener('click', askAtLink, true)
      if (askInHistory === askAtStep) askInHistory = undefined
    }
  }, [isUnsaved, text])
}
