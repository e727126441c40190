import { setTimeout as pause } from 'node:timers/promises'
import { type Logger, OctavoError } from '@octavo/core'

/** Milliseconds between two attempts: doubled each time, up to the maximum. */
const shortest = 250
const longest = 5_000

/**
 * Runs `open`, and retries it while the database does not answer.
 * @param limit Milliseconds after which it stops retrying; 0 tries once.
 * @throws the error of the last attempt; errors other than an unavailable database at once
 */
export async function waitForDatabase<T>(open: () => Promise<T>, limit: number, logger: Logger): Promise<T> {
  const end = performance.now() + limit
  for (let delay = shortest; ; delay = Math.min(delay * 2, longest)) {
    try {
      return await open()
    } catch (error) {
      const isAbsent = error instanceof OctavoError && error.code === 'database/unavailable'
      if (!isAbsent || performance.now() + delay > end) throw error
      logger.warn({ retryAfter: delay }, error.message)
      await pause(delay)
    }
  }
}
