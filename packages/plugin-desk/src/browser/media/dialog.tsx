import { type ReactNode, useId, useRef } from 'react'
import { useModal } from '../modal.ts'
import { useText } from '../text/index.ts'

interface DialogProps {
  readonly title: string
  readonly isWide?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page. Its owner draws it while it is open. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const text = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
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
        <button type="button" className="button quiet" onClick={() => dialog.current?.close()}>
          {text.close}
        </button>
      </div>
      {children}
    </dialog>
  )
}
