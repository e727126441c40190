import { type RefObject, useEffect, useInsertionEffect } from 'react'

/**
 * Shows a dialog over the page while it is drawn. A dialog that its owner takes away is closed before, so that the focus goes back to what opened
 * it: an element that is removed takes the focus along.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => dialog.current?.showModal(), [dialog])
  // This ends before the element is removed; and not, as an effect of the layout does, when something in it is waited for.
  useInsertionEffect(() => () => dialog.current?.close(), [dialog])
}

/** Asks before *Escape* closes a dialog. @param mayClose Whether it may be closed now; asks the person where something would be lost. */
export function useAskedCancel(dialog: RefObject<HTMLDialogElement | null>, mayClose: () => boolean): void {
  useEffect(() => {
    const { current } = dialog
    const ask = (event: Event) => {
      // A dialog within this one is closed by itself.
      if (event.target === current && !mayClose()) event.preventDefault()
    }
    current?.addEventListener('cancel', ask)
    return () => current?.removeEventListener('cancel', ask)
  })
}
