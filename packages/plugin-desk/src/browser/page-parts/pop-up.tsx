import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { isPressed } from './pressed.ts'

interface PopUpProps {
  readonly className?: string
  readonly label: ReactNode
  /** The name of the button, where its label is a sign. */
  readonly name?: string
  /** Called some time after the pop-up was opened or closed. */
  readonly onToggle?: (isOpen: boolean) => void
  /** @param close Closes the pop-up, as before an action that leaves it. */
  readonly children: (close: () => void) => ReactNode
}

/** Closes a pop-up when the person does something elsewhere. */
function useLeaving(popUp: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const { current } = popUp
      if (current?.open && target instanceof Node && !current.contains(target)) current.open = false
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [popUp])
}

/**
 * A button with what it opens below it. Whether it is open is asked of the element: its event `toggle` comes in a later task, in which a quick
 * person has already pressed Escape.
 */
export function PopUp({ className = '', label, name, onToggle, children }: PopUpProps) {
  const popUp = useRef<HTMLDetailsElement>(null)
  useLeaving(popUp)
  /** Gives the focus to the button before: a dialog that opens then gives it back when it closes, and what is hidden cannot have it. */
  const close = () => {
    const { current } = popUp
    if (!current) return
    if (current.contains(document.activeElement)) current.querySelector('summary')?.focus()
    current.open = false
  }
  const onKey = (event: KeyboardEvent) => {
    if (!isPressed(event, 'Escape') || !popUp.current?.open) return
    // A dialog around it stays open.
    event.preventDefault()
    popUp.current.querySelector('summary')?.focus()
    close()
  }
  return (
    <details
      ref={popUp}
      className={`choice ${className}`}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
      onKeyDown={onKey}
    >
      <summary className="button quiet" aria-label={name} title={name}>
        {label}
      </summary>
      <div className="pop">{children(close)}</div>
    </details>
  )
}
