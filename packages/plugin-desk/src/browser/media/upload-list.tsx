import { useRef, useSyncExternalStore } from 'react'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { reasonOf } from '../page-parts/trouble.tsx'
import { useUnsaved } from '../page-parts/unsaved.ts'
import { useText } from '../text/index.ts'
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

/** Files on their way that are shown. A folder may have thousands. */
const shown = 10

/** The files on their way, with the progress of each. */
export function UploadList({ queue }: { queue: UploadQueue }) {
  const text = useText()
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads)
  const open = uploads.filter(({ state }) => state !== 'done')
  const isBusy = open.some(({ state }) => state !== 'failed')
  const areSeveral = open.length > 1
  const place = useRef<HTMLParagraphElement>(null)
  useUnsaved(() => isBusy, text.leaveUploads, place)
  return (
    <>
      <div className={areSeveral ? 'row' : undefined}>
        <p ref={place} role="status" className={areSeveral ? undefined : 'hidden'}>
          {uploads.length > 0 && text.uploadedOf(uploads.length - open.length, uploads.length)}
        </p>
        {areSeveral && (
          <button
            type="button"
            className="button quiet small"
            onClick={({ currentTarget }) => end(currentTarget, () => queue.removeAll())}
          >
            {text.cancelUploads}
          </button>
        )}
      </div>
      {open.length > 0 && (
        <ul className="uploads">
          {open.slice(0, shown).map((upload) => (
            <UploadRow key={upload.key} upload={upload} queue={queue} />
          ))}
          {open.length > shown && <li>{text.andMore(open.length - shown)}</li>}
        </ul>
      )}
    </>
  )
}

/** Ends uploads by a button that may go with them: the focus then goes to the button for further ones. */
function end(button: HTMLElement, remove: () => void): void {
  const library = button.closest('.library')
  remove()
  whenFocusIsLost(() => library?.querySelector<HTMLElement>('input[type=file] + button'))
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
        onClick={({ currentTarget }) => end(currentTarget, () => queue.remove(key))}
      >
        ×
      </button>
    </li>
  )
}
