import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { type Kinds, perPage } from '../../library-query.ts'
import { fileUid } from '../model/model.ts'
import { may } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { useDropPlace } from '../page-parts/drop-place.ts'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { useRange } from '../page-parts/range.ts'
import { useAttempt } from '../page-parts/trouble.tsx'
import { filesChanged } from '../requests/changes.ts'
import { useText } from '../text/index.ts'
import { droppedFiles } from './dropped-files.ts'
import { FileQuestion, firstWanted, isNarrowed, type Wanted } from './file-question.tsx'
import { fileList, type LibraryFile } from './files.ts'
import { FolderTools } from './folder-tools.tsx'
import { draggedFiles, FolderTree } from './folder-tree.tsx'
import { type Folders, moveInto, useFolders } from './folders.ts'
import { useUpload } from './many-files.tsx'
import { type Marked, withFiles, without } from './marked.ts'
import { Pages } from './pages.tsx'
import { Tile } from './tile.tsx'
import { FileButton, UploadList } from './upload-list.tsx'
import { UploadQueue } from './upload-queue.ts'

interface LibraryProps {
  /** The folder that is shown; `null`: the place outside of all. */
  readonly folder: number | null
  readonly onFolder: (id: number | null) => void
  readonly onOpen: (file: LibraryFile) => void
  /** Only files of these kinds. */
  readonly kinds?: Kinds
  /** Files that are uploaded when the library opens. */
  readonly given?: readonly File[]
  /** The files that are marked, by id. Absent where none can be. */
  readonly marked?: Marked
  readonly onMark?: (change: (now: Marked) => Marked) => void
  /** The actions for the marked files. */
  readonly foot?: ReactNode
}

/** The files of the library: folders, search, pages, and upload by a button or by dropping. */
export function Library(props: LibraryProps) {
  const { folder: wantedFolder, onFolder, kinds } = props
  const text = useText()
  const { me } = useSession()
  const client = useQueryClient()
  const { folders, asking } = useFolders()
  // Somebody else has deleted it: files go to the place outside of all.
  const isGone = wantedFolder !== null && asking.data !== undefined && !folders.find(wantedFolder)
  const folder = isGone ? null : wantedFolder
  const [wanted, want] = useState(firstWanted)
  const [start, setStart] = useState(0)
  const [queue] = useState(
    () =>
      new UploadQueue((error) => {
        // The server may have stored a file before its upload was cancelled, or the answer was lost.
        void client.invalidateQueries({ queryKey: ['files'] })
        // A folder that takes no file may have been deleted.
        if (error !== undefined) void client.invalidateQueries({ queryKey: ['folders'] })
      }),
  )
  const canUpload = may(me, fileUid, 'create')
  const { upload, question } = useUpload(queue, folder, canUpload ? props.given : undefined)
  const { inTurn, trouble } = useAttempt()
  const { search, order, since, kind } = wanted
  const query = {
    ...{ path: folders.pathOf(folder), search: search.trim(), order, since },
    kinds: kind === undefined ? kinds : [kind],
  }
  const files = useQuery({
    ...fileList(query, start),
    // The way to a folder is that of the tree.
    enabled: folder === null || asking.data !== undefined,
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData } = files
  const ask = (change: Partial<Wanted>) => {
    setStart(0)
    want((now) => ({ ...now, ...change }))
  }
  const place = useRef<HTMLDivElement>(null)
  const choose = (id: number | null) => {
    ask({ search: '' })
    onFolder(id)
  }
  // The buttons of the way to a folder go with it. The buttons of its tools give the focus back by themselves.
  const leave = (id: number | null) => {
    choose(id)
    whenFocusIsLost(() => place.current?.querySelector<HTMLElement>('button, input'))
  }
  const move = (files: readonly number[], to: number | null) =>
    inTurn(async () => {
      await moveInto({ files }, to)
      props.onMark?.(without(files))
      await filesChanged(client)
    }, `${files} to ${to}`)
  return (
    <DropPlace onFiles={canUpload ? upload : undefined}>
      <FolderPane
        {...{ folders, folder }}
        onFolder={choose}
        onDrop={may(me, fileUid, 'update') && props.marked ? (files, to) => void move(files, to) : undefined}
      />
      <div ref={place}>
        <Way {...{ folders, folder }} onFolder={leave} />
        <FolderTools {...{ folders, folder }} onFolder={choose} />
        <div className="filters">
          <FileQuestion {...{ wanted, kinds }} onAsk={ask} />
          {canUpload && <FileButton label={text.upload} multiple onFiles={upload} />}
        </div>
        <UploadList queue={queue} />
        {question}
        {trouble}
        {isGone && <p className="note info">{text.folderGone}</p>}
        <Asked of={{ [text.folders]: asking, [text.media]: files }} />
        {data?.length === 0 && (
          <p className="empty">
            {isNarrowed(wanted)
              ? text.noneFound
              : (folder === null ? text.emptyLibrary : text.emptyFolder)(canUpload)}
          </p>
        )}
        <Tiles {...props} files={(data ?? []).slice(0, perPage)} isOld={isPlaceholderData} />
        <div className="foot">
          {props.foot}
          <span className="grow" />
          <Pages start={start} count={data?.length ?? 0} isOld={isPlaceholderData} onStart={setStart} />
        </div>
      </div>
    </DropPlace>
  )
}

/** Takes files that are dropped. The button for uploads does the same by keyboard. */
function DropPlace({
  onFiles,
  children,
}: {
  onFiles: ((files: readonly File[]) => void) | undefined
  children: ReactNode
}) {
  const { attempt, trouble } = useAttempt()
  const { isOver, handlers } = useDropPlace(
    ({ dataTransfer }) => onFiles !== undefined && dataTransfer.types.includes('Files'),
    ({ dataTransfer }) => {
      const files = droppedFiles(dataTransfer)
      void attempt(async () => onFiles?.(await files), files)
    },
  )
  return (
    <div className={isOver ? 'library drop' : 'library'} {...handlers}>
      {children}
      {trouble}
    </div>
  )
}

/** The tree, which is closed at first on narrow screens. */
function FolderPane({
  folders,
  folder,
  onFolder,
  onDrop,
}: {
  folders: Folders
  folder: number | null
  onFolder: (id: number | null) => void
  onDrop: ((files: readonly number[], to: number | null) => void) | undefined
}) {
  const text = useText()
  const [isWide] = useState(() => matchMedia('(min-width: 47.5625em)').matches)
  return (
    <details className="folders" open={isWide}>
      <summary>{text.folders}</summary>
      <FolderTree {...{ folders, onDrop }} chosen={folder} onChoose={onFolder} />
    </details>
  )
}

/** The folders that lead to the one that is shown. */
function Way({
  folders,
  folder,
  onFolder,
}: {
  folders: Folders
  folder: number | null
  onFolder: (id: number | null) => void
}) {
  const text = useText()
  const way = folders.wayTo(folder)
  const last = way.at(-1)
  if (!last) return null
  return (
    <nav aria-label={text.wayToFolder} className="way">
      <button type="button" className="linked" onClick={() => onFolder(null)}>
        {text.allFiles}
      </button>
      {way.slice(0, -1).map(({ id, name }) => (
        <span key={id}>
          {' › '}
          <button type="button" className="linked" onClick={() => onFolder(id)}>
            {name}
          </button>
        </span>
      ))}
      {' › '}
      <b>{last.name}</b>
    </nav>
  )
}

type TilesProps = Pick<LibraryProps, 'marked' | 'onMark' | 'onOpen'> & {
  readonly files: readonly LibraryFile[]
  readonly isOld: boolean
}

function Tiles({ files, isOld, marked, onMark, onOpen }: TilesProps) {
  const range = useRange(files.map(({ id }) => id))
  const mark = (pressed: number, isMarked: boolean, isRange: boolean) => {
    const ids = range(pressed, isRange)
    const meant = files.filter(({ id }) => ids.includes(id))
    onMark?.(isMarked ? withFiles(meant) : without(ids))
  }
  return (
    <ul className="media" aria-busy={isOld}>
      {files.map((file) => (
        <Tile
          key={file.id}
          file={file}
          onOpen={() => onOpen(file)}
          isMarked={marked?.has(file.id)}
          onMark={onMark && ((...how) => mark(file.id, ...how))}
          onDrag={(event) => {
            const ids = marked?.has(file.id) ? [...marked.keys()] : [file.id]
            event.dataTransfer.setData(draggedFiles, JSON.stringify(ids))
            event.dataTransfer.effectAllowed = 'move'
          }}
        />
      ))}
    </ul>
  )
}
