import { useState } from 'react'
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
  return (
    <button
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
