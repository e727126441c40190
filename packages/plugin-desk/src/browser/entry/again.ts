/** When a save is sent again that had no answer, or for which the server had no room, and when one that was asked for during another. */
import { useEffect, useRef } from 'react'
import type { Form, GroupValue } from '../../form/index.ts'
import { sameJson } from '../../form/same.ts'

/** The first pause before a save is sent again, in milliseconds. Each further one is twice as long. */
const shortest = 1_000
/** The longest pause, in milliseconds. */
const longest = 15_000

/** The longest pause that a server may ask for, in milliseconds. */
const longestAsked = 3_600_000

/**
 * The milliseconds before a save is sent again.
 *
 * @param attempts How often it was sent in vain, at least once.
 * @param isOnline Whether the browser knows a network. Without one a request is lost labour, except that browsers are sometimes wrong.
 * @param after The seconds that a busy server asks to wait, at most an hour of which is waited for. Default none.
 */
export function pauseBefore(attempts: number, isOnline: boolean, after = 0): number {
  const own = isOnline ? Math.min(longest, shortest * 2 ** (attempts - 1)) : longest
  return Math.max(own, Math.min(longestAsked, after * 1_000))
}

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

/** The attempts with a further one, which begins now. @param before The failed attempts. */
export const anotherOf = (before: Attempts | undefined): Attempts => ({
  count: (before?.count ?? 0) + 1,
  returns,
})

/** A save that waits. */
interface Waits {
  readonly attempts: Attempts
  /** The milliseconds since 1970 at which it may be sent again at the earliest, after the answer of a busy server. */
  readonly busyUntil: number | undefined
}

/**
 * Calls `again` when the network is back, and after pauses that grow, as browsers do not always notice. After a return the pauses begin
 * anew: the first requests of a network that has just returned often fail. A busy server has answered, so a return of the network changes nothing.
 */
export function useAgain<Waiting extends Waits>(
  waiting: Waiting | undefined,
  again: (waiting: Waiting) => void,
): void {
  const latest = useRef(again)
  latest.current = again
  useEffect(() => {
    if (!waiting) return
    const { attempts, busyUntil } = waiting
    const call = () => latest.current(waiting)
    if (busyUntil !== undefined) {
      const timer = setTimeout(call, busyUntil - Date.now())
      return () => clearTimeout(timer)
    }
    const returned = () => latest.current({ ...waiting, attempts: { ...attempts, count: 0 } })
    if (returns > attempts.returns) return returned()
    const timer = setTimeout(call, pauseBefore(attempts.count, navigator.onLine))
    window.addEventListener('online', returned)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', returned)
    }
  }, [waiting])
}

/**
 * A save that is asked for during another one, after which it is sent.
 *
 * @param after Called with whether nothing was written since it was asked for.
 */
export function useAsked(form: Form, busy: boolean, after: (isSame: boolean) => void): () => void {
  const asked = useRef<GroupValue>(undefined)
  useEffect(() => {
    if (busy || asked.current === undefined) return
    const isSame = sameJson(form.value(), asked.current)
    asked.current = undefined
    after(isSame)
  })
  return () => {
    asked.current = form.value()
  }
}
