import { setTimeout as pause } from 'node:timers/promises'
import { type Logger, OctavoError } from '@octavo/core'

/** Milliseconds between two attempts: doubled each time, up to the longest. */
const shortest = 250
const longest = 5_000

/**
 * Opens what needs the database, and tries again while the database does not answer.
 * @param limit Milliseconds to go on trying; 0 tries once.
 * @throws what the last attempt threw, and any other error at once
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
