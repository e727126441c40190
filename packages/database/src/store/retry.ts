import { setTimeout as wait } from 'node:timers/promises'
import { retriable, sqlState } from '../error/database-error.ts'
import { problem } from '../error/problems.ts'

const attempts = 5

/**
 * Retries a transaction after a serialization failure or deadlock; at most five attempts.
 * @param transaction Receives the number of the attempt, from 1.
 * @param mayPass Whether it is retried after another error as well, which is thrown after the last attempt. Default: after none.
 * @throws ServiceUnavailableError `database/busy` after the last attempt.
 */
export async function retried<T>(
  transaction: (attempt: number) => Promise<T>,
  mayPass: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(attempt)
    } catch (error) {
      const isBusy = retriable.has(sqlState(error))
      if (!isBusy && (attempt === attempts || !mayPass(error))) throw error
      if (attempt === attempts) throw problem('database/busy', {}, { cause: error })
      // A random delay, so that two transactions do not collide again.
      await wait(Math.random() * 20 * 2 ** attempt)
    }
  }
}
