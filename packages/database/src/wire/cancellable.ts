import type { PoolClient } from 'pg'
import type { CancelSignal } from '../cancel-signal.ts'
import { problem } from '../error/problems.ts'
import { Batch, type BatchStatement } from './batch.ts'
import { cancelStatement } from './cancel-request.ts'

/** Receives the number of completed statements, and the error of the one after them, once. */
export type Done = (error: Error | undefined, completed: number, isCancelled: boolean) => void

const noRows = { wanted: -1, isDescribed: false }

/** Runs statements together, which are cancelled when `signal` aborts; their connection must be closed then. */
export function runCancellable(
  client: PoolClient,
  statements: readonly BatchStatement[],
  signal: CancelSignal,
  done: Done,
): void {
  let cancelling: Promise<void> | undefined
  const cancel = (): void => {
    cancelling = cancelStatement(client)
  }
  signal.addEventListener('abort', cancel, { once: true })
  client.query(
    new Batch(statements, noRows, (error, { completed }) => {
      signal.removeEventListener('abort', cancel)
      if (!cancelling) return done(error, completed, false)
      const failure = error && problem('database/abandoned', {}, { cause: error })
      // The connection is closed after the cancel request was delivered, so that no other statement is cancelled.
      void cancelling.then(() => done(failure, completed, true))
    }),
  )
}
