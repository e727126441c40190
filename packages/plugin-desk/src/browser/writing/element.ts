/** The element of a text that is no input of the browser. */
import { useEffect } from 'react'
import type { ControlProps } from '../field-frame/frame.tsx'

/** The attributes of an element that is no input, but takes a text. */
export function attributesOf(
  control: ControlProps,
  locale: string | undefined,
): Readonly<Record<string, string>> {
  // An extension that translates the page would write into the text.
  const own = { autoComplete: undefined, translate: 'no', lang: locale }
  const all = { ...control, 'aria-labelledby': `${control.id}-label`, ...own }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** A click on a label leads to its control; browsers do that for inputs only. */
export function useFocusByLabel(id: string): void {
  useEffect(() => {
    const label = document.getElementById(`${id}-label`)
    const focus = () => document.getElementById(id)?.focus()
    label?.addEventListener('click', focus)
    return () => label?.removeEventListener('click', focus)
  }, [id])
}
