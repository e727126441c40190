import { useState } from 'react'
import { useText } from '../text/index.ts'

interface Clipboard {
  /** Writes a text to it; `undefined` where the browser gives the page no clipboard. */
  readonly toClipboard: ((text: string) => void) | undefined
  /** Says that a text has been copied, or that the browser has refused it; empty before. */
  readonly told: string
}

/**
 * The clipboard, which browsers give pages only by TLS or on the same machine, and not to all: elsewhere the person marks the text.
 *
 * @param onCopied Called once a text has been copied. Default: nothing.
 */
export function useClipboard(onCopied: () => void = () => undefined): Clipboard {
  const text = useText()
  const [isCopied, setCopied] = useState<boolean>()
  const { clipboard } = navigator as Partial<Navigator>
  const copied = () => {
    setCopied(true)
    onCopied()
  }
  const toClipboard =
    clipboard && ((words: string) => void clipboard.writeText(words).then(copied, () => setCopied(false)))
  return { toClipboard, told: isCopied === undefined ? '' : isCopied ? text.copied : text.notCopied }
}
