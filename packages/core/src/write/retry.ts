import { setTimeout as wait } from 'node:timers/promises'
import { problem } from '../error/problems.ts'
import { sqlState } from '../store/database-error.ts'

/** Serialization failure and deadlock: the transaction was undone and may be tried again. */
const passing = new Set(['40001', '40P01'])
const attempts = 5

/**
 * Runs a transaction again when the database gave it up in favour of another one; at most five times in all.
 * @param transaction Is told which attempt it is, from 1 on.
 * @throws ServiceUnavailableError `database/busy` when the last attempt was given up, too.
 */
export async function retried<T>(transaction: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(attempt)
    } catch (error) {
      if (!passing.has(sqlState(error) ?? '')) throw error
      if (attempt === attempts) throw problem('database/busy', {}, { cause: error })
      // At random, so that two that met do not meet again.
      await wait(Math.random() * 20 * 2 ** attempt)
    }
  }
}
