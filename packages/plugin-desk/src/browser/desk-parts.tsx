import { type ReactNode, useEffect, useState } from 'react'
import { isPast, serverTime } from './server-time.ts'
import { momentOf, useText } from './text/index.ts'

/** How long an answer is waited for without a word about it, in milliseconds. */
const patience = 8_000

/** Stands in the place of what is loaded. @param onAgain Asks once more; offered when it takes long. */
export function Waiting({ onAgain }: { onAgain?: () => void }) {
  const text = useText()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="waiting" role="status">
      {isLong ? text.loadingLong : text.loading}
      {isLong && onAgain && (
        <button type="button" className="button small" onClick={onAgain}>
          {text.tryAgain}
        </button>
      )}
    </div>
  )
}

/** The longest time that browsers wait, in milliseconds: what is to be done later they do at once. */
const longestTimer = 2 ** 31 - 1

/** Whether a time has come. The part of the page is drawn again once it does. */
function useIsPast(time: unknown): boolean {
  const [round, setRound] = useState(0)
  const isDue = isPast(time)
  useEffect(() => {
    if (isDue || typeof time !== 'string') return
    const left = Math.max(0, Date.parse(time) - serverTime().getTime())
    const timer = setTimeout(() => setRound(round + 1), Math.min(left + 1, longestTimer))
    return () => clearTimeout(timer)
  }, [time, isDue, round])
  return isDue
}

/** The state of an entry as a pill. */
export function StatePill({ publishedAt }: { publishedAt: unknown }) {
  const text = useText()
  const isLive = useIsPast(publishedAt)
  if (typeof publishedAt !== 'string') return <span className="pill draft">{text.draft}</span>
  return isLive ? (
    <span className="pill live">{text.live}</span>
  ) : (
    <span className="pill soon">{text.soon(momentOf(publishedAt, text, 'shortMoment'))}</span>
  )
}

interface FormFootProps {
  /** The words of the button. */
  readonly save: string
  /** Of the last save, such as that it is done. */
  readonly told: string
  /** Further buttons, at the other side. */
  readonly children?: ReactNode
}

/** The button that saves a form, and what became of it. */
export function FormFoot({ save, told, children }: FormFootProps) {
  return (
    <div className="row dialog-foot">
      <button type="submit" className="button main">
        {save}
      </button>
      <span role="status">{told}</span>
      <span className="grow" />
      {children}
    </div>
  )
}
