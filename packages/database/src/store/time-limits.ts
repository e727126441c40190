import { sql } from '../sql/sql.ts'
import type { Transaction } from './store.ts'

/**
 * Lifts the time limits of requests from a transaction that reads or writes whole tables: its statements take longer, and an
 * import or export waits for files between them.
 */
export async function liftTimeLimits(tx: Transaction): Promise<void> {
  await tx.run(sql`set local statement_timeout to 0`)
  await tx.run(sql`set local idle_in_transaction_session_timeout to 0`)
}
