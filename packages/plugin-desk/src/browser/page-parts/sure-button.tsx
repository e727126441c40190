import { useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../text/index.ts'
import { whenFocusIsLost } from './focus-back.ts'

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
      // The button is removed together with the session or token that it ends, and loses the focus. The next key then starts in
      // the page and not in the menu above it.
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
      onClick={({ detail }) => {
        // The second click of a double one: the question was not read.
        if (isSure && detail > 1) return
        if (isSure) onSure()
        setSure(!isSure)
      }}
    >
      {isSure ? text.deleteForGood : label}
    </button>
  )
}
