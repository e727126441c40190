import { useId } from 'react'
import { useText } from '../text/index.ts'
import { useClipboard } from './use-clipboard.ts'

/**
 * Shows the text that a person has typed, to read and to copy.
 *
 * @param words The text of each field, below the place of the field.
 */
export function TextToCopy({ words }: { words: readonly string[] }) {
  const text = useText()
  const id = useId()
  const { toClipboard, told } = useClipboard()
  const all = words.join('\n\n')
  return (
    <>
      <label className="hidden" htmlFor={id}>
        {text.whatYouTyped}
      </label>
      <textarea className="in" id={id} dir="auto" readOnly rows={4} value={all} />
      {toClipboard && (
        <button type="button" className="linked" onClick={() => toClipboard(all)}>
          {text.copySecret}
        </button>
      )}
      <span role="status">{told}</span>
    </>
  )
}
