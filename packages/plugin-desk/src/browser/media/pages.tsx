import { perPage } from '../../library-query.ts'
import { idleIf } from '../idle.ts'
import { useText } from '../text/index.ts'

interface PagesProps {
  readonly start: number
  readonly isLast: boolean
  readonly onStart: (start: number) => void
}

/** The buttons to the pages before and after the files that are shown. */
export function Pages({ start, isLast, onStart }: PagesProps) {
  const text = useText()
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
