import type { ReactNode } from 'react'

/**
 * Tells the browser how much of the window an element covers that stays at its top while the page is scrolled: what gets the focus is
 * scrolled to below it.
 */
function keepFree(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--covered', `${bar.offsetHeight}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--covered')
  }
}

/** The row of actions at the top of a page. @param below Sentences that stay in sight with it. */
export function Bar({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <div className="top" ref={keepFree}>
      <div className="bar">{children}</div>
      {below}
    </div>
  )
}
