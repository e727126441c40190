import { useEffect, useRef } from 'react'

/**
 * For forms that open in the place of the buttons that open them: when a form is closed, the focus is at its button again, or at another
 * one where that is gone. It stays where it is when it has gone elsewhere by then.
 * @param open The name of the form that is open; `undefined`: none.
 * @returns a function that makes the `ref` of the button of a form.
 */
export function useFocusBack(open: string | undefined) {
  const last = useRef<string>(undefined)
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  useEffect(() => {
    const closed = open === undefined ? last.current : undefined
    last.current = open
    if (closed === undefined || document.activeElement !== document.body) return
    const [any] = buttons.current.values()
    const button = buttons.current.get(closed) ?? any
    button?.focus()
  }, [open])
  return (name: string) => (button: HTMLButtonElement | null) => {
    if (button) buttons.current.set(name, button)
    else buttons.current.delete(name)
  }
}

/**
 * Called when a control takes itself away, as one that removes a part does: the focus, which it takes along, goes to another element, unless it is
 * elsewhere by then.
 * @param find The element, once the page is drawn anew.
 */
export function whenFocusIsLost(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) find()?.focus()
  })
}

/** Whether no control has the focus, or one that is about to lose it, since it was hidden. */
const isNowhere = (): boolean => {
  const { activeElement, body } = document
  return activeElement === null || activeElement === body || !activeElement.checkVisibility()
}

/** The waiting for the page below, which another one ends. */
let waiting: MutationObserver | undefined

/**
 * Gives the focus to a page that is entered by a control which is there no longer, such as a link of the page before: the keyboard and screen
 * readers go on in it. A control that stays, as a link of the navigation does, keeps the focus.
 *
 * @param find The page, which may have to be loaded first.
 */
export function whenPageIsEntered(find: () => HTMLElement | null): void {
  waiting?.disconnect()
  const enter = (): boolean => {
    if (!isNowhere()) return true
    const page = find()
    page?.focus({ preventScroll: true })
    return page !== null
  }
  requestAnimationFrame(() => {
    if (enter()) return
    waiting = new MutationObserver(() => {
      if (enter()) waiting?.disconnect()
    })
    waiting.observe(document.body, { childList: true, subtree: true })
  })
}
