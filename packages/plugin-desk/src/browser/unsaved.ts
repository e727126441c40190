import { useEffect } from 'react'
import { useText } from './text/index.ts'

/** Asks before the page is left, by a link or by closing it, while something is not saved. */
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
    window.addEventListener('beforeunload', ask)
    // Before the link hears of it.
    document.addEventListener('click', askAtLink, true)
    return () => {
      window.removeEventListener('beforeunload', ask)
      document.removeEventListener('click', askAtLink, true)
    }
  }, [isUnsaved, text])
}
