import { type RefObject, useEffect, useInsertionEffect } from 'react'
import { isPressed } from './pressed.ts'

/**
 * Shows a dialog over the page while it is drawn. A dialog that its owner takes away is closed before, so that the focus goes back to what opened
 * it: an element that is removed takes the focus along.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => dialog.current?.showModal(), [dialog])
  // This ends before the element is removed; and not, as an effect of the layout does, when something in it is waited for.
  useInsertionEffect(() => () => dialog.current?.close(), [dialog])
}

/** Whether a dialog is the uppermost of those that are open: each is drawn after the ones below it. */
const isOnTop = (dialog: HTMLDialogElement): boolean =>
  dialog === [...document.querySelectorAll('dialog:modal')].at(-1)

/**
 * Asks before *Escape* closes a dialog. The key itself is refused: Chromium lets a page refuse the event `cancel` of a dialog only a few times
 * between two actions of the person. Then it closes the dialog, together with the dialogs below it that no action opened.
 *
 * @param mayClose Whether the dialog may be closed now; asks the person if something would be lost.
 */
export function useAskedCancel(dialog: RefObject<HTMLDialogElement | null>, mayClose: () => boolean): void {
  useEffect(() => {
    const { current } = dialog
    if (!current) return
    const onKey = (event: KeyboardEvent) => {
      // A list that is open within the dialog, and input of several keys, take the key for themselves.
      if (!isPressed(event, 'Escape') || event.defaultPrevented || !isOnTop(current)) return
      event.preventDefault()
      if (mayClose()) current.close()
    }
    // The gesture of a touch screen to go back has no key.
    const ask = (event: Event) => {
      // A dialog within this one is closed by itself.
      if (event.target === current && !mayClose()) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    current.addEventListener('cancel', ask)
    return () => {
      document.removeEventListener('keydown', onKey)
      current.removeEventListener('cancel', ask)
    }
  })
}
