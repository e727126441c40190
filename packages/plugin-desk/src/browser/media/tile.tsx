import type { DragEvent } from 'react'
import { isWithShift } from '../page-parts/range.ts'
import { useText } from '../text/index.ts'
import { type LibraryFile, thumbOf } from './files.ts'

interface TileProps {
  readonly file: LibraryFile
  readonly onOpen: () => void
  readonly isMarked: boolean | undefined
  /** Absent where files cannot be marked. */
  readonly onMark: ((isMarked: boolean, isRange: boolean) => void) | undefined
  readonly onDrag: (event: DragEvent) => void
}

/** A file of the library. */
export function Tile({ file, onOpen, isMarked = false, onMark, onDrag }: TileProps) {
  const text = useText()
  const thumb = thumbOf(file)
  return (
    <li className={isMarked ? 'marked' : undefined} draggable={onMark !== undefined} onDragStart={onDrag}>
      {onMark && (
        <input
          type="checkbox"
          aria-label={text.select(file.name)}
          checked={isMarked}
          onChange={(event) => onMark(event.target.checked, isWithShift(event))}
        />
      )}
      <button type="button" className="tile" onClick={onOpen}>
        {thumb ? (
          <img src={thumb} alt="" loading="lazy" draggable={false} />
        ) : (
          <span className="kind" aria-hidden="true">
            {file.ext?.replace('.', '').toUpperCase() || file.mime.split('/').at(-1)}
          </span>
        )}
        <span className="name">{file.name}</span>
      </button>
    </li>
  )
}
