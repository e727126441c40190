import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { isPressed } from '../page-parts/pressed.ts'
import { useText } from '../text/index.ts'
import { typedAddress } from './address.ts'

interface LinkRowProps {
  /** The present address; `''` for none. */
  readonly url: string
  readonly onLink: (url: string) => void
  /** Only where there is a link. */
  readonly onRemove?: (() => void) | undefined
  readonly onClose: () => void
}

/** The address of a link, in a row below the tools. */
export function LinkRow({ url, onLink, onRemove, onClose }: LinkRowProps) {
  const text = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(url)
  const [isWrong, setWrong] = useState(false)
  useEffect(() => input.current?.select(), [])
  const link = () => {
    const address = typedAddress(typed)
    if (address === undefined) setWrong(true)
    else onLink(address)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isPressed(event, 'Enter') && event.target === input.current) {
      event.preventDefault()
      link()
    } else if (isPressed(event, 'Escape')) {
      // A dialog around the text stays open.
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the row from each of its controls
    <div className="link-row" onKeyDown={onKeyDown}>
      <label htmlFor={id}>{text.writing.linkAddress}</label>
      <input
        ref={input}
        id={id}
        className="in"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setWrong(false)
        }}
      />
      <button type="button" className="button small" onClick={link}>
        {text.writing.setLink}
      </button>
      {onRemove && (
        <button type="button" className="button small" onClick={onRemove}>
          {text.writing.removeLink}
        </button>
      )}
      <button type="button" className="button quiet small" onClick={onClose}>
        {text.cancel}
      </button>
      {isWrong && (
        <p className="error" id={`${id}-error`} role="alert">
          {text.writing.wrongAddress}
        </p>
      )}
    </div>
  )
}
