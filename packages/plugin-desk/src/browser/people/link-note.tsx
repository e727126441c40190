import { useId, useState } from 'react'
import { useText } from '../text/index.ts'

/** A link that is shown once, for the person who passes it on. */
export function LinkNote({ link }: { link: string }) {
  const text = useText()
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  // Browsers give pages the clipboard only by TLS or on the same machine; the text can be marked everywhere.
  const { clipboard } = navigator as Partial<Navigator>
  return (
    <div className="field">
      <label htmlFor={id}>{text.linkOnce}</label>
      <input className="in" id={id} readOnly value={link} onFocus={({ target }) => target.select()} />
      {clipboard && (
        <div className="row dialog-foot">
          <button
            type="button"
            className="button small"
            onClick={() => void clipboard.writeText(link).then(() => setCopied(true))}
          >
            {text.copyLink}
          </button>
          <span role="status">{isCopied && text.copied}</span>
        </div>
      )}
    </div>
  )
}
