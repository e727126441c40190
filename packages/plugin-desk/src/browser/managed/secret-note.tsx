import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { useUnsaved } from '../page-parts/unsaved.ts'
import { useClipboard } from '../page-parts/use-clipboard.ts'
import { useText } from '../text/index.ts'

interface SecretNoteProps {
  readonly label: string
  /** A secret, or a link with one. */
  readonly secret: string
  /** The words of the button that copies it. */
  readonly copy: string
  readonly onTaken: () => void
}

/** A secret that is shown once, for the person who takes it to where it is used. */
function SecretNote({ label, secret, copy, onTaken }: SecretNoteProps) {
  const id = useId()
  const { toClipboard, told } = useClipboard(onTaken)
  // The secret may take the place of the form whose button had the focus.
  useEffect(() => whenFocusIsLost(() => document.getElementById(id)), [id])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="in"
        id={id}
        readOnly
        value={secret}
        onFocus={({ target }) => target.select()}
        onCopy={onTaken}
      />
      {toClipboard && (
        <div className="row dialog-foot">
          <button type="button" className="button small" onClick={() => toClipboard(secret)}>
            {copy}
          </button>
          <span role="status">{told}</span>
        </div>
      )}
    </div>
  )
}

interface ShownSecret {
  readonly isShown: boolean
  readonly show: (secret: string) => void
  /** Stands where the secret is shown. */
  readonly note: ReactNode
  /** Asks before something that closes the dialog ends the secret. @returns whether it may */
  readonly mayEnd: () => boolean
  /** The last secret that has arrived; empty without one. */
  readonly latest: () => string
}

/**
 * A secret that is shown once in a dialog. The person is asked before it is closed, or the page is left, with a secret that was not copied.
 *
 * @param copy The words of the button that copies it. Default: the words for a secret.
 */
export function useSecret(label: string, copy?: string): ShownSecret {
  const text = useText()
  const [secret, setSecret] = useState('')
  const [taken, setTaken] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const arrived = useRef('')
  const show = (secret: string) => {
    arrived.current = secret
    setSecret(secret)
  }
  const mayEnd = useUnsaved(() => secret !== taken, text.leaveSecret, place)
  const note = secret !== '' && (
    <div ref={place}>
      <SecretNote
        key={secret}
        label={label}
        secret={secret}
        copy={copy ?? text.copySecret}
        onTaken={() => setTaken(secret)}
      />
    </div>
  )
  return { isShown: secret !== '', show, note, mayEnd, latest: () => arrived.current }
}
