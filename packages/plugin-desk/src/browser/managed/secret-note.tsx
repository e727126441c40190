import { useId } from 'react'
import { useText } from '../text/index.ts'
import { useClipboard } from '../use-clipboard.ts'

interface SecretNoteProps {
  readonly label: string
  /** A secret, or a link with one. */
  readonly secret: string
  /** The words of the button that copies it. Default: those of a secret. */
  readonly copy?: string
}

/** A secret that is shown once, for the person who takes it to where it is used. */
export function SecretNote({ label, secret, copy }: SecretNoteProps) {
  const text = useText()
  const id = useId()
  const { toClipboard, isCopied } = useClipboard()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input className="in" id={id} readOnly value={secret} onFocus={({ target }) => target.select()} />
      {toClipboard && (
        <div className="row dialog-foot">
          <button type="button" className="button small" onClick={() => toClipboard(secret)}>
            {copy ?? text.copySecret}
          </button>
          <span role="status">{isCopied && text.copied}</span>
        </div>
      )}
    </div>
  )
}
