import { useRef, useSyncExternalStore } from 'react'
import { whenFocusIsLost } from '../focus-back.ts'
import { useText } from '../text/index.ts'
import { reasonOf } from '../trouble.tsx'
import { useUnsaved } from '../unsaved.ts'
import type { Upload, UploadQueue } from './upload-queue.ts'

/** A button that takes files from the disk. */
export function FileButton({
  label,
  multiple = false,
  accept,
  onFiles,
}: {
  label: string
  multiple?: boolean
  accept?: string
  onFiles: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        accept={accept}
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <button type="button" className="button" onClick={() => input.current?.click()}>
        {label}
      </button>
    </>
  )
}

/** The files on their way, with the progress of each. */
export function UploadList({ queue }: { queue: UploadQueue }) {
  const text = useText()
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads)
  const open = uploads.filter(({ state }) => state !== 'done')
  const isBusy = open.some(({ state }) => state !== 'failed')
  const place = useRef<HTMLParagraphElement>(null)
  useUnsaved(() => isBusy, text.leaveUploads, place)
  return (
    <>
      <p ref={place} role="status" className="hidden">
        {uploads.length > 0 && text.uploadedOf(uploads.length - open.length, uploads.length)}
      </p>
      {open.length > 0 && (
        <ul className="uploads">
          {open.map((upload) => (
            <UploadRow key={upload.key} upload={upload} queue={queue} />
          ))}
        </ul>
      )}
    </>
  )
}

function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const text = useText()
  const { key, file, state, done, error } = upload
  return (
    <li>
      <span className="name">{file.name}</span>
      {state === 'failed' ? (
        <>
          <span className="error">{reasonOf(error, text)}</span>
          <button type="button" className="button small" onClick={() => queue.repeat(key)}>
            {text.tryAgain}
          </button>
        </>
      ) : (
        <progress max={100} value={done} aria-label={text.uploadOf(file.name)} />
      )}
      <button
        type="button"
        className="button quiet small"
        aria-label={text.cancelUpload(file.name)}
        onClick={({ currentTarget }) => {
          const library = currentTarget.closest('.library')
          queue.remove(key)
          whenFocusIsLost(() => library?.querySelector<HTMLElement>('input[type=file] + button'))
        }}
      >
        ×
      </button>
    </li>
  )
}
