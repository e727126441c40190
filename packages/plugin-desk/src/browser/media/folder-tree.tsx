import { useId, useState } from 'react'
import { useDropPlace } from '../page-parts/drop-place.ts'
import { useText } from '../text/index.ts'
import type { Folder, Folders } from './folders.ts'

/** Folders of one place that are drawn before the person asks for more. */
const atFirst = 100
/** From this number on, folders can be searched by name. */
const many = 20

/** The type of the ids of files that are dragged within the page. */
export const draggedFiles = 'application/x-octavo-files'

interface TreeProps {
  readonly folders: Folders
  /** The id of the chosen folder; `null`: the place outside of all. */
  readonly chosen: number | null
  readonly onChoose: (id: number | null) => void
  /** Called when files are dropped on a folder. Absent where none may be moved. */
  readonly onDrop?: ((files: readonly number[], to: number | null) => void) | undefined
  /** A folder that is left out with all that is in it. */
  readonly without?: number | undefined
}

/** The tree of folders: a button for each, and one beside it that shows what is in it. */
export function FolderTree(props: TreeProps) {
  const text = useText()
  const id = useId()
  const { folders, chosen } = props
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<ReadonlyMap<number, boolean>>(new Map())
  const way = new Set(folders.wayTo(chosen).map((folder) => folder.id))
  const isOpen = (folder: number): boolean => opened.get(folder) ?? (way.has(folder) && folder !== chosen)
  const toggle = (folder: number) => setOpened(new Map([...opened, [folder, !isOpen(folder)]]))
  return (
    <div className="tree">
      {folders.count >= many && (
        <input
          className="in"
          type="search"
          aria-label={text.searchFolders}
          placeholder={text.searchFolders}
          id={id}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      {search.trim() === '' ? (
        <ul>
          <li>
            <FolderButton {...props} id={null} label={text.allFiles} />
          </li>
          <Level {...props} parent={null} isOpen={isOpen} onToggle={toggle} />
        </ul>
      ) : (
        <Found {...props} search={search.trim()} />
      )}
    </div>
  )
}

interface LevelProps extends TreeProps {
  readonly parent: number | null
  readonly isOpen: (id: number) => boolean
  readonly onToggle: (id: number) => void
}

function Level({ parent, ...props }: LevelProps) {
  const text = useText()
  const { folders, chosen, without, isOpen, onToggle } = props
  const [count, setCount] = useState(atFirst)
  const all = folders.within(parent).filter(({ id }) => id !== without)
  const way = new Set(folders.wayTo(chosen).map(({ id }) => id))
  const shown = all.filter(({ id }, i) => i < count || way.has(id))
  return (
    <>
      {shown.map(({ id, name }) => {
        const hasMore = folders.within(id).some((folder) => folder.id !== without)
        return (
          <li key={id}>
            <div className="tree-row">
              {hasMore ? (
                <button
                  type="button"
                  className="tree-open"
                  aria-expanded={isOpen(id)}
                  aria-label={text.foldersIn(name)}
                  onClick={() => onToggle(id)}
                >
                  {isOpen(id) ? '▾' : '▸'}
                </button>
              ) : (
                <span className="tree-open" />
              )}
              <FolderButton {...props} id={id} label={name} />
            </div>
            {hasMore && isOpen(id) && (
              <ul>
                <Level {...props} parent={id} />
              </ul>
            )}
          </li>
        )
      })}
      {all.length > shown.length && (
        <li>
          <button type="button" className="button quiet small" onClick={() => setCount(count + atFirst)}>
            {text.moreFolders(all.length - shown.length)}
          </button>
        </li>
      )}
    </>
  )
}

/** The folders that a search finds, each with the way to it. */
function Found({ search, ...props }: TreeProps & { search: string }) {
  const text = useText()
  const { folders, without } = props
  const outside = ({ id }: Folder) => !folders.wayTo(id).some((one) => one.id === without)
  const found = folders.named(search).filter(outside)
  if (found.length === 0) return <p className="hint">{text.notFoundPick}</p>
  const label = ({ id }: Folder) =>
    folders
      .wayTo(id)
      .map(({ name }) => name)
      .join(' › ')
  return (
    <ul>
      {found.slice(0, atFirst).map((folder) => (
        <li key={folder.id}>
          <FolderButton {...props} id={folder.id} label={label(folder)} />
        </li>
      ))}
    </ul>
  )
}

interface FolderButtonProps extends TreeProps {
  readonly id: number | null
  readonly label: string
}

function FolderButton({ id, label, chosen, onChoose, onDrop }: FolderButtonProps) {
  const { isOver, handlers } = useDropPlace(
    ({ dataTransfer }) => onDrop !== undefined && dataTransfer.types.includes(draggedFiles),
    ({ dataTransfer }) => onDrop?.(JSON.parse(dataTransfer.getData(draggedFiles)) as number[], id), // written by the library
  )
  return (
    <button
      type="button"
      className={isOver ? 'tree-name drop' : 'tree-name'}
      aria-current={id === chosen ? 'true' : undefined}
      onClick={() => onChoose(id)}
      {...handlers}
    >
      {label}
    </button>
  )
}
