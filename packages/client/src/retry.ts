import { OctavoError } from './errors.ts'

/** The maximum of `Retry-After`, in seconds, that the client waits for; after a longer one there is no retry. */
const longestWait = 10
/** A proxy's and the server's answers that another attempt may change. */
const temporary: readonly number[] = [0, 429, 502, 503, 504]
/** The codes of problems with which a repeated request would fail again. */
const lasting: readonly unknown[] = ['database/timeout', 'database/ids-used-up']

/**
 * Milliseconds to wait before the next attempt; `undefined` when there should be none.
 *
 * @param longest Seconds; after an answer with a longer `Retry-After` there is no attempt.
 */
export function waitBefore(attempt: number, error: unknown, longest = longestWait): number | undefined {
  if (!(error instanceof OctavoError) || !temporary.includes(error.status) || lasting.includes(error.code))
    return undefined
  const seconds = error.retryAfter ?? Math.min((2 ** attempt * (1 + Math.random())) / 4, longestWait)
  return seconds > longest ? undefined : seconds * 1000
}

/** Rejects when the signal aborts, also while a token or the renewal of a session is awaited, which have no signal. */
export const until = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })

/** Waits, at most until the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  })
