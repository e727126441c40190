import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { fileUid } from '../model.ts'
import { may } from '../rights.ts'
import { useSession } from '../session.tsx'
import { reasonOf } from '../sign-in.tsx'
import { useText } from '../text/index.ts'
import { findFiles, type LibraryFile, perPage, thumbOf, uploadFiles } from './files.ts'

/** The files of the library: search, pages, and upload by a button or by dropping. */
export function Library({ onChoose }: { onChoose: (file: LibraryFile) => void }) {
  const text = useText()
  const [search, setSearch] = useState('')
  const [start, setStart] = useState(0)
  const [isOver, setOver] = useState(false)
  const { upload, done, problem, canUpload } = useUpload()
  const { data = [], isFetched } = useQuery<readonly LibraryFile[]>({
    queryKey: ['files', search, start],
    queryFn: ({ signal }) => findFiles(search, start, signal),
    placeholderData: keepPreviousData,
  })
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (canUpload) void upload([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; the button does it by keyboard
    <div
      className={isOver ? 'drop' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <div className="filters">
        <input
          className="in search"
          type="search"
          aria-label={text.searchFiles}
          placeholder={text.searchFiles}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            setStart(0)
          }}
        />
        {canUpload && <UploadButton disabled={done !== undefined} onFiles={upload} />}
        <span role="status">{done !== undefined && text.uploading(done)}</span>
      </div>
      {problem !== '' && (
        <p className="note wrong" role="alert">
          {problem}
        </p>
      )}
      {isFetched && data.length === 0 && (
        <p className="empty">{search === '' ? text.emptyLibrary : text.noneFound}</p>
      )}
      <ul className="media">
        {data.map((file) => (
          <Tile key={file.id} file={file} onChoose={onChoose} />
        ))}
      </ul>
      {(start > 0 || data.length === perPage) && (
        <Pages start={start} isLast={data.length < perPage} onStart={setStart} />
      )}
    </div>
  )
}

function useUpload() {
  const text = useText()
  const { me } = useSession()
  const client = useQueryClient()
  const [done, setDone] = useState<number | undefined>()
  const [problem, setProblem] = useState('')
  const upload = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return
    setProblem('')
    setDone(0)
    try {
      await uploadFiles(files, setDone)
      await client.invalidateQueries({ queryKey: ['files'] })
    } catch (error) {
      setProblem(reasonOf(error, text))
    } finally {
      setDone(undefined)
    }
  }
  return { upload, done, problem, canUpload: may(me, fileUid, 'create') }
}

function UploadButton({
  disabled,
  onFiles,
}: {
  disabled: boolean
  onFiles: (files: readonly File[]) => Promise<void>
}) {
  const text = useText()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          void onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <button type="button" className="button" disabled={disabled} onClick={() => input.current?.click()}>
        {text.upload}
      </button>
    </>
  )
}

function Tile({ file, onChoose }: { file: LibraryFile; onChoose: (file: LibraryFile) => void }) {
  const thumb = thumbOf(file)
  return (
    <li>
      <button type="button" className="tile" onClick={() => onChoose(file)}>
        {thumb ? (
          <img src={thumb} alt="" loading="lazy" />
        ) : (
          <span className="kind">{file.mime.split('/').at(-1)}</span>
        )}
        <span className="name">{file.name}</span>
      </button>
    </li>
  )
}

interface PagesProps {
  readonly start: number
  readonly isLast: boolean
  readonly onStart: (start: number) => void
}

function Pages({ start, isLast, onStart }: PagesProps) {
  const text = useText()
  return (
    <div className="foot">
      <span className="grow" />
      <button
        type="button"
        className="button"
        aria-label={text.previous}
        disabled={start === 0}
        onClick={() => onStart(Math.max(0, start - perPage))}
      >
        ‹
      </button>
      <button
        type="button"
        className="button"
        aria-label={text.next}
        disabled={isLast}
        onClick={() => onStart(start + perPage)}
      >
        ›
      </button>
    </div>
  )
}
