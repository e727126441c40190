import { perPage } from '../../library-query.ts'
import { idleIf } from '../page-parts/idle.ts'
import { useText } from '../text/index.ts'

interface PagesProps {
  readonly start: number
  /** The files of the answer, which has one more than a page where there is another page. */
  readonly count: number
  /** Whether the answer is that of the page before, which does not tell whether there is another one. */
  readonly isOld: boolean
  readonly onStart: (start: number) => void
}

/** The buttons to the pages before and after the files that are shown; none where all are shown. */
export function Pages({ start, count, isOld, onStart }: PagesProps) {
  const text = useText()
  const isLast = isOld || count <= perPage
  if (start === 0 && count <= perPage) return null
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={text.previous}
        {...idleIf(start === 0, () => onStart(Math.max(0, start - perPage)))}
      >
        ‹
      </button>
      <button
        type="button"
        className="button"
        aria-label={text.next}
        {...idleIf(isLast, () => onStart(start + perPage))}
      >
        ›
      </button>
    </>
  )
}
