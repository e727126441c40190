/** When a save without an answer is sent again. */
import { useEffect, useRef } from 'react'

/** The first pause before a save is sent again, in milliseconds. Each further one is twice as long. */
const shortest = 1_000
/** The longest pause, in milliseconds. */
const longest = 15_000

/**
 * The milliseconds before a save is sent again.
 *
 * @param attempts How often it was sent without an answer, at least once.
 * @param isOnline Whether the browser knows a network. Without one a request is lost labour, except that browsers are sometimes wrong.
 */
export const pauseBefore = (attempts: number, isOnline: boolean): number =>
  isOnline ? Math.min(longest, shortest * 2 ** (attempts - 1)) : longest

/** How often the network has come back since this page was loaded. It is counted from the start, as it may come back while a request ends. */
let returns = 0
globalThis.addEventListener?.('online', () => {
  returns += 1
})

/** Attempts of one save. */
export interface Attempts {
  readonly count: number
  /** The returns of the network before the last of them. */
  readonly returns: number
}

/** Another attempt, which begins now. @param before The attempts that had no answer. */
export const anotherOf = (before: Attempts | undefined): Attempts => ({
  count: (before?.count ?? 0) + 1,
  returns,
})

/**
 * Calls `again` when the network is back, and after pauses that grow, as browsers do not always notice. After a return the pauses begin
 * anew: the first requests of a network that has just returned often fail.
 */
export function useAgain<Waiting extends { readonly attempts: Attempts }>(
  waiting: Waiting | undefined,
  again: (waiting: Waiting) => void,
): void {
  const latest = useRef(again)
  latest.current = again
  useEffect(() => {
    if (!waiting) return
    const { attempts } = waiting
    const returned = () => latest.current({ ...waiting, attempts: { ...attempts, count: 0 } })
    if (returns > attempts.returns) return returned()
    const call = () => latest.current(waiting)
    const timer = setTimeout(call, pauseBefore(attempts.count, navigator.onLine))
    window.addEventListener('online', returned)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', returned)
    }
  }, [waiting])
}
