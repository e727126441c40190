import { useLayoutEffect, useRef, useState } from 'react'
import { whenFocusIsLost } from '../focus-back.ts'
import { useText } from '../text/index.ts'

interface SureButtonProps {
  readonly label: string
  /** The name for screen readers, where the label alone does not say what ends. */
  readonly name?: string
  readonly onSure: () => void
}

/** A button for what does not come back, which needs a second click. */
export function SureButton({ label, name, onSure }: SureButtonProps) {
  const text = useText()
  const [isSure, setSure] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      // What ends takes its button along, and the focus: the next key begins in the page then, not in the menu above it.
      if (shown === document.activeElement) whenFocusIsLost(() => document.getElementById('main'))
    }
  }, [])
  return (
    <button
      ref={button}
      type="button"
      className="button quiet danger"
      aria-label={isSure ? undefined : name}
      onBlur={() => setSure(false)}
      onClick={() => {
        if (isSure) onSure()
        setSure(!isSure)
      }}
    >
      {isSure ? text.deleteForGood : label}
    </button>
  )
}
