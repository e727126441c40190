import { retried, type Store, sql, type Transaction } from '@octavo/database'

/**
 * Runs a change of the schema in a transaction, under the lock of all such changes. Other processes may serve requests meanwhile: where PostgreSQL
 * ends the change so that one of their transactions goes on (a deadlock), it is made again.
 *
 * @param onWait Called when another process has the lock.
 */
export const schemaTransaction = <T>(
  store: Store,
  work: (tx: Transaction) => Promise<T>,
  onWait?: () => void,
): Promise<T> =>
  retried(() =>
    store.transaction(async (tx) => {
      // The index of a large table takes longer than the limit for requests, and so does waiting for another process that makes it.
      await tx.run(sql`set local statement_timeout to 0`)
      await tx.lock('schema', onWait)
      return work(tx)
    }),
  )
