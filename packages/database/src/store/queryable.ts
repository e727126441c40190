import { createHash } from 'node:crypto'
import { thrownByStatement } from '../error/database-error.ts'
import { Rows } from '../rows/rows.ts'
import type { RowSource } from '../rows/source.ts'
import { type Bindable, repeated, type Sql, sql } from '../sql/sql.ts'
import type { IdleTime } from './idle-time.ts'
import type { BatchedTransaction, NamedRow, Queryable, Row } from './store.ts'
import type { TransactionTime } from './transaction-time.ts'

/** The result of an engine: rows as lists, in the order of the columns. */
export interface RawResult {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** Runs the text of a statement, on a fixed connection or on any connection. */
export type RunQuery = (text: string, values?: readonly Bindable[]) => Promise<RawResult>

/** The statements of a transaction, as an engine runs them; see {@link BatchedTransaction}. */
export interface RawTransaction {
  query(text: string, values?: readonly Bindable[]): Promise<RawResult>
  send(text: string, values: readonly Bindable[], onRow?: (row: Row) => void): void
  stayAlone(): void
  shareAmong(rows: string, locked?: number): void
  flush(): Promise<void>
  commitSent(): Promise<void>
}

export function queryable(raw: RunQuery): Queryable {
  const run = async (statement: Sql): Promise<readonly NamedRow[]> => {
    const { text, values } = repeated(statement)
    const { columns, rows } = await raw(text, values as readonly Bindable[]) // runtime values occur in plans of reads only
    // Both engines return values as the text that PostgreSQL sends.
    return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])) as NamedRow)
  }
  return { query: async (text, values) => (await raw(text, values)).rows, run, rows: rowsBy(run) }
}

const rowsBy =
  (run: Queryable['run']): Queryable['rows'] =>
  <R>(source: RowSource<R>) =>
    new Rows<R>(run, source)

/** A transaction whose statements are refused when its time is over. */
export function limitedTransaction(tx: BatchedTransaction, limit: TransactionTime): BatchedTransaction {
  const check = (): void => limit.check()
  const run: Queryable['run'] = async (statement) => {
    check()
    return tx.run(statement)
  }
  return {
    run,
    rows: rowsBy(run),
    query: async (text, values) => {
      check()
      return tx.query(text, values)
    },
    lock: async (name, onWait) => {
      check()
      await tx.lock(name, onWait)
    },
    send: (statement, onRow) => {
      check()
      tx.send(statement, onRow)
    },
    liftTimeLimits: () => tx.liftTimeLimits(),
    stayAlone: () => tx.stayAlone(),
    shareAmong: (rows, locked) => tx.shareAmong(rows, locked),
    flush: () => tx.flush(),
    commitSent: async () => {
      limit.finish()
      await tx.commitSent()
    },
  }
}

/**
 * Runs the work of a transaction. When it has ended, further statements of it are refused: the connection may already have other
 * work, whose transaction they would be part of.
 */
export async function withTransaction<T>(
  raw: RawTransaction,
  work: (tx: BatchedTransaction) => Promise<T>,
  idle: IdleTime,
): Promise<T> {
  let isOpen = true
  const open = (): RawTransaction => {
    if (!isOpen) throw new Error(ended)
    return raw
  }
  try {
    return await idle.limit(() => work(transactionOf(open, idle)))
  } finally {
    isOpen = false
  }
}

const ended =
  'A statement came after the transaction has ended. Await each statement, also those that are started together when one of them fails'

/** @param open Throws when the transaction has ended. */
function transactionOf(open: () => RawTransaction, idle: IdleTime): BatchedTransaction {
  const during = <T>(statement: (raw: RawTransaction) => Promise<T>): Promise<T> =>
    idle.during(() => statement(open()).catch(thrownByStatement))
  const { run, ...rest } = queryable((text, values) => during((raw) => raw.query(text, values)))
  return {
    run,
    ...rest,
    lock: async (name, onWait) => {
      if (onWait) {
        const free = await run(
          sql`select 1 as "free" where pg_try_advisory_xact_lock(${lockNumber(name)}::int8)`,
        )
        if (free.length > 0) return
        onWait()
      }
      await run(lockOf(name))
    },
    liftTimeLimits: async () => {
      idle.lift()
      await run(withoutLimits)
    },
    send: (statement, onRow) => {
      const { text, values } = repeated(statement)
      open().send(text, values as readonly Bindable[], onRow) // runtime values occur in plans of reads only
    },
    stayAlone: () => open().stayAlone(),
    shareAmong: (rows, locked) => open().shareAmong(rows, locked),
    flush: () => during((raw) => raw.flush()),
    commitSent: () => during((raw) => raw.commitSent()),
  }
}

const withoutLimits = sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`

/** The statement of {@link Transaction.lock}, for one that is sent together with others. */
export const lockOf = (name: string): Sql => sql`select pg_advisory_xact_lock(${lockNumber(name)}::int8)`

/** PostgreSQL identifies advisory locks by 64-bit numbers; a name has the same number in every process. */
export function lockNumber(name: string): string {
  return createHash('sha256').update(`octavo ${name}`).digest().readBigInt64BE(0).toString()
}
