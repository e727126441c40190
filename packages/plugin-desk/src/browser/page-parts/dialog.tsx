import { type ReactNode, useId, useRef } from 'react'
import { useText } from '../text/index.ts'
import { useAskedCancel, useModal } from './modal.ts'
import { hasWritten, mayLeave, useUnsaved } from './unsaved.ts'

interface DialogProps {
  readonly title: string
  readonly isWide?: boolean
  /** Whether closing it would lose what its forms do not have in their controls, such as a point in a picture. Default: nothing. */
  readonly isLost?: () => boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page, which asks before it is closed with unsaved text. The owner draws it while it is open. */
export function Dialog({ title, isWide = false, isLost = () => false, onClose, children }: DialogProps) {
  const text = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useUnsaved(() => isLost() || (dialog.current !== null && hasWritten(dialog.current)), undefined, dialog)
  // Its parts may have guards of their own, such as files on their way.
  const mayClose = (): boolean => dialog.current === null || mayLeave(dialog.current)
  useModal(dialog)
  useAskedCancel(dialog, mayClose)
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClose={(event) => {
        // A dialog within this one has an event of its own.
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className="head dialog-head">
        <h2 id={id}>{title}</h2>
        <span className="grow" />
        <button type="button" className="button quiet" onClick={() => mayClose() && dialog.current?.close()}>
          {text.close}
        </button>
      </div>
      {children}
    </dialog>
  )
}
