import { type ReactNode, useId } from 'react'
import { useText } from '../text/index.ts'
import { useClipboard } from '../use-clipboard.ts'

interface KeptTextProps {
  readonly words: readonly string[]
  /** Why the text is here. */
  readonly children: ReactNode
  readonly onDiscard: () => void
}

/** Text of the person that has no place in a form: to read, to copy, or to discard. */
export function KeptText({ words, children, onDiscard }: KeptTextProps) {
  const text = useText()
  const id = useId()
  const { toClipboard, isCopied } = useClipboard()
  const all = words.join('\n\n')
  return (
    <div className="note info kept">
      <span>{children}</span>
      <label className="hidden" htmlFor={id}>
        {text.whatYouTyped}
      </label>
      <textarea className="in" id={id} dir="auto" readOnly rows={4} value={all} />
      {toClipboard && (
        <button type="button" className="linked" onClick={() => toClipboard(all)}>
          {text.copySecret}
        </button>
      )}
      <button type="button" className="linked" onClick={onDiscard}>
        {text.discard}
      </button>
      <span role="status">{isCopied && text.copied}</span>
    </div>
  )
}
