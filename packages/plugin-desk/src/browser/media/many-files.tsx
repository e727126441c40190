import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../page-parts/dialog.tsx'
import { useText } from '../text/index.ts'
import type { UploadQueue } from './upload-queue.ts'

/** Files that are uploaded without a question. More of them come from a folder, which may have been dropped by mistake. */
const unasked = 100

/**
 * Uploads files to a folder, many at once only after a question.
 *
 * @param given Files that are uploaded at once.
 * @returns `question` is drawn by the caller.
 */
export function useUpload(queue: UploadQueue, folder: number | null, given: readonly File[] | undefined) {
  const [many, setMany] = useState<readonly File[]>()
  const upload = (files: readonly File[]) =>
    files.length > unasked ? setMany(files) : queue.add(files, folder)
  const latest = useRef(upload)
  latest.current = upload
  useEffect(() => {
    if (given && given.length > 0) latest.current(given)
  }, [given])
  const close = () => setMany(undefined)
  const question = many && (
    <ManyFiles
      count={many.length}
      onUpload={() => {
        queue.add(many, folder)
        close()
      }}
      onClose={close}
    />
  )
  return { upload, question }
}

interface ManyFilesProps {
  readonly count: number
  readonly onUpload: () => void
  readonly onClose: () => void
}

function ManyFiles({ count, onUpload, onClose }: ManyFilesProps) {
  const text = useText()
  return (
    <Dialog title={text.uploadMany(count)} onClose={onClose}>
      <p>{text.manyInOne}</p>
      <div className="row dialog-foot">
        <button type="button" className="button main" onClick={onUpload}>
          {text.upload}
        </button>
        <button type="button" className="button quiet" onClick={onClose}>
          {text.cancel}
        </button>
      </div>
    </Dialog>
  )
}
