import { type ReactNode, useEffect, useState } from 'react'
import { isPast, serverTime } from '../requests/server-time.ts'
import { momentOf, useText } from '../text/index.ts'

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

/** Draws the part of the page again each time that one of some times comes. */
function useTimesThatCome(times: readonly unknown[]): void {
  const [round, setRound] = useState(0)
  const coming = times.flatMap((time) =>
    typeof time === 'string' && !isPast(time) ? [Date.parse(time)] : [],
  )
  const next = coming.length === 0 ? undefined : Math.min(...coming)
  useEffect(() => {
    if (next === undefined) return
    const left = Math.max(0, next - serverTime().getTime())
    const timer = setTimeout(() => setRound(round + 1), Math.min(left + 1, longestTimer))
    return () => clearTimeout(timer)
  }, [next, round])
}

/** The state of a version of an entry: the class of its pill and its dot, with its words. */
export interface VersionState {
  readonly state: 'draft' | 'live' | 'soon'
  readonly words: string
}

/** The states of versions by their times of publication: null is a draft. A version of a content-type without drafts is published at once. */
export function useStates(hasDrafts: boolean, times: readonly unknown[]): readonly VersionState[] {
  const text = useText()
  useTimesThatCome(times)
  return times.map((time) => {
    if (!hasDrafts || isPast(time)) return { state: 'live', words: text.live }
    return typeof time === 'string'
      ? { state: 'soon', words: text.soon(momentOf(time, text, 'shortMoment')) }
      : { state: 'draft', words: text.draft }
  })
}

/** The state of an entry as a pill. */
export function StatePill({ publishedAt }: { publishedAt: unknown }) {
  const [shown] = useStates(true, [publishedAt])
  return <span className={`pill ${shown?.state}`}>{shown?.words}</span>
}

/** The button that sends a form in a dialog. @param label Its words. */
export const SubmitRow = ({ label }: { readonly label: string }) => (
  <div className="row">
    <button type="submit" className="button main">
      {label}
    </button>
  </div>
)

interface FormFootProps {
  /** The words of the button. */
  readonly save: string
  /** The message of the last save, such as that it is done. */
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
