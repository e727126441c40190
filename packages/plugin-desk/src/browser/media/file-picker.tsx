import { useRef, useState } from 'react'
import type { Kinds } from '../../library-query.ts'
import { Dialog } from '../page-parts/dialog.tsx'
import { mayLeave } from '../page-parts/unsaved.ts'
import { useText } from '../text/index.ts'
import type { LibraryFile } from './files.ts'
import { Library } from './library.tsx'

interface FilePickerProps {
  /** The `allowedTypes` of the attribute. */
  readonly kinds: Kinds
  /** Whether the field takes several files. */
  readonly many: boolean
  /** Files that are uploaded at once. Default: none. */
  readonly given?: readonly File[]
  readonly onPick: (files: readonly LibraryFile[]) => void
  readonly onClose: () => void
}

/** The library over the page, to choose files for a field. */
export default function FilePicker({ kinds, many, given, onPick, onClose }: FilePickerProps) {
  const text = useText()
  const [folder, setFolder] = useState<number | null>(null)
  const [marked, setMarked] = useState<ReadonlyMap<number, LibraryFile>>(new Map())
  const place = useRef<HTMLDivElement>(null)
  // A choice closes the dialog, with what is seen of files on their way.
  const pick = (files: readonly LibraryFile[]) => {
    if (place.current === null || mayLeave(place.current)) onPick(files)
  }
  return (
    <Dialog title={text.chooseFile} isWide onClose={onClose}>
      <div ref={place}>
        <Library
          {...{ folder, kinds }}
          {...(given && { given })}
          onFolder={setFolder}
          onOpen={(file) => pick([...marked.values(), ...(marked.has(file.id) ? [] : [file])])}
          {...(many && { marked, onMark: setMarked })}
          foot={
            marked.size > 0 && (
              <button type="button" className="button main" onClick={() => pick([...marked.values()])}>
                {text.addFiles(marked.size)}
              </button>
            )
          }
        />
      </div>
    </Dialog>
  )
}
