/** Dialogs over a page, and pages that are left, while an answer is on its way. */
import { useRef, useState } from 'react'

/**
 * The dialog that is open over a page. A dialog that closes late, after a slow answer, does not close a dialog that was opened after it.
 *
 * @returns the open dialog or `undefined`; a function that opens one; and a function that closes the open one
 */
export function useOpening<T>() {
  const [opening, setOpening] = useState<{ readonly of: T } | undefined>()
  const open = (of: T): void => setOpening({ of })
  const close = (): void => setOpening((now) => (now === opening ? undefined : now))
  return [opening?.of, open, close] as const
}

const addressOfPage = (): string => `${location.pathname}${location.search}`

/**
 * For actions that lead to another page once they are done: the person may have gone elsewhere meanwhile, and stays there.
 *
 * @param shown A value of the page that its address does not have, such as the folder in a dialog.
 * @returns a function for the beginning of an action. Its result says whether the same is shown still.
 */
export function useHere(shown?: unknown): () => () => boolean {
  const latest = useRef(shown)
  latest.current = shown
  return () => {
    const [address, before] = [addressOfPage(), latest.current]
    return () => addressOfPage() === address && latest.current === before
  }
}
