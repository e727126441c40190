import { type KeyboardEvent, type ReactNode, useContext } from 'react'
import { ComboBoxStateContext, Popover } from 'react-aria-components'
import { useEntry } from '../open-entry/context.ts'
import { isPressed } from '../page-parts/pressed.ts'

/**
 * The list below the field. React Aria closes such a list when the page around the field is scrolled, because it would not move with a part of
 * the page that scrolls. Here it is inside the scrolled page or panel, and moves with the field.
 */
export function Results({ children }: { children: ReactNode }) {
  const { dialog } = useEntry()
  const list = useContext(ComboBoxStateContext)
  const change = (isOpen: boolean): void => {
    if (!isOpen && window.event?.type !== 'scroll') list?.close()
  }
  return (
    <Popover
      className="popover"
      isOpen={list?.isOpen ?? false}
      onOpenChange={change}
      {...(dialog?.current && { UNSTABLE_portalContainer: dialog.current })}
    >
      {children}
    </Popover>
  )
}

/** The key that closes the list leaves the dialog around it open. */
export function keepDialog(event: KeyboardEvent<HTMLInputElement>): void {
  const isOpen = event.currentTarget.getAttribute('aria-expanded') === 'true'
  if (isPressed(event, 'Escape') && isOpen) event.preventDefault()
}
