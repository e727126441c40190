import { useState } from 'react'

interface Clipboard {
  /** Writes a text to it; `undefined` where the browser gives the page no clipboard. */
  readonly toClipboard: ((text: string) => void) | undefined
  /** Whether a text has been copied since the part of the page was drawn first. */
  readonly isCopied: boolean
}

/**
 * The clipboard, which browsers give pages only by TLS or on the same machine: elsewhere the person marks the text.
 *
 * @param onCopied Called once a text has been copied. Default: nothing.
 */
export function useClipboard(onCopied: () => void = () => undefined): Clipboard {
  const [isCopied, setCopied] = useState(false)
  const { clipboard } = navigator as Partial<Navigator>
  const toClipboard =
    clipboard &&
    ((text: string) =>
      void clipboard.writeText(text).then(() => {
        setCopied(true)
        onCopied()
      }))
  return { toClipboard, isCopied }
}
