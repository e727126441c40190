import { useEffect, useId, useRef } from 'react'
import { useText } from '../text/index.ts'
import type { LibraryFile } from './files.ts'
import { Library } from './library.tsx'

interface FilePickerProps {
  readonly onPick: (file: LibraryFile) => void
  readonly onClose: () => void
}

/** The library over the page, to choose a file for a field. */
export default function FilePicker({ onPick, onClose }: FilePickerProps) {
  const text = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog wide" aria-labelledby={id} onClose={onClose}>
      <div className="head">
        <h2 id={id}>{text.chooseFile}</h2>
        <span className="grow" />
        <button type="button" className="button quiet" onClick={() => dialog.current?.close()}>
          {text.close}
        </button>
      </div>
      <Library onChoose={onPick} />
    </dialog>
  )
}
