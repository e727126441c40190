import type { ReactNode } from 'react'
import { TextToCopy } from '../page-parts/text-to-copy.tsx'
import { useText } from '../text/index.ts'

interface KeptTextProps {
  readonly words: readonly string[]
  /** Why the text is here. */
  readonly children: ReactNode
  readonly onDiscard: () => void
}

/** Text of the person that has no place in a form: to read, to copy, or to discard. */
export function KeptText({ words, children, onDiscard }: KeptTextProps) {
  const text = useText()
  return (
    <div className="note info kept">
      <span>{children}</span>
      <TextToCopy words={words} />
      <button type="button" className="linked" onClick={onDiscard}>
        {text.discard}
      </button>
    </div>
  )
}
