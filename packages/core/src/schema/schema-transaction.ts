import { setTimeout as wait } from 'node:timers/promises'
import { retried, type Store, sql, sqlState, type Transaction } from '@octavo/database'

/** Milliseconds for which a change of a table waits for its transactions, since all others wait behind it. */
export const lockTime = 2_000

/** A change of the schema waits for the change of another process, or for transactions that use one of its tables. */
export type Awaited = 'process' | 'transactions'

/**
 * Runs a change of the schema in a transaction, under the lock of all such changes. Other processes may serve requests meanwhile: where PostgreSQL
 * ends the change so that one of their transactions goes on (a deadlock), it is made again. So it is after each {@link lockTime} in which a
 * transaction that uses one of its tables, such as a backup, has not ended: in between, the requests that wait behind the change are served.
 *
 * @param onWait Called when it has to wait; for transactions once.
 */
export async function schemaTransaction<T>(
  store: Store,
  work: (tx: Transaction) => Promise<T>,
  onWait?: (on: Awaited) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await retried(() => once(store, work, onWait))
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (attempt === 1) onWait?.('transactions')
      await wait(pauses[attempt - 1] ?? lastPause)
    }
  }
}

/** Milliseconds between attempts: soon after a short transaction, and without harm to requests during a long one. */
const pauses = [500, 1_000, 2_000, 4_000]
const lastPause = 8_000

const once = <T>(
  store: Store,
  work: (tx: Transaction) => Promise<T>,
  onWait?: (on: Awaited) => void,
): Promise<T> =>
  store.transaction(async (tx) => {
    // The index of a large table takes longer than the limit for requests, and so does waiting for another process that makes it.
    await tx.run(sql`set local statement_timeout to 0`)
    await tx.lock('schema', () => onWait?.('process'))
    await tx.run(sql`set local lock_timeout to ${sql.lit(lockTime)}`)
    return work(tx)
  })

/** Whether a statement has waited for a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'
