import type { PoolClient } from 'pg'
import type { CancelSignal } from '../cancel-signal.ts'
import { problem } from '../error/problems.ts'
import { Batch, type BatchStatement } from './batch.ts'
import { cancelStatement } from './cancel-request.ts'
import type { Row } from './store.ts'

/** Receives the rows or an error, once. */
export type Callback = (error: Error | undefined, rows: readonly Row[]) => void
export type Done = (error: Error | undefined, rows: readonly Row[], isCancelled: boolean) => void

const onlyRows = { wanted: 0, isDescribed: false }

/** Runs a statement, which is cancelled when `signal` aborts; its connection must be closed then. */
export function runCancellable(
  client: PoolClient,
  statement: BatchStatement,
  signal: CancelSignal | undefined,
  done: Done,
): void {
  let cancelling: Promise<void> | undefined
  const cancel = (): void => {
    cancelling = cancelStatement(client)
  }
  signal?.addEventListener('abort', cancel, { once: true })
  const callback: Callback = (error, rows) => {
    signal?.removeEventListener('abort', cancel)
    if (!cancelling) return done(error, rows, false)
    const failure = error && problem('database/abandoned', {}, { cause: error })
    // The connection is closed after the cancel request was delivered, so that no other statement is cancelled.
    void cancelling.then(() => done(failure, rows, true))
  }
  client.query(new Batch([statement], onlyRows, (error, { rows }) => callback(error, rows)))
}
