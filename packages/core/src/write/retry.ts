import { setTimeout as wait } from 'node:timers/promises'
import { sqlState } from '../store/database-error.ts'

/** Serialization failure and deadlock: the transaction was undone and may be tried again. */
const passing = new Set(['40001', '40P01'])
const attempts = 4

/** Runs a transaction again when the database gave it up in favour of another one; at most four times in all. */
export async function retried<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === attempts || !passing.has(sqlState(error) ?? '')) throw error
      // At random, so that two that met do not meet again.
      await wait(Math.random() * 20 * 2 ** attempt)
    }
  }
}
