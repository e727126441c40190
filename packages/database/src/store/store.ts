import type { Demand } from '../admission/work.ts'
import type { Rows } from '../rows/rows.ts'
import type { RowSource } from '../rows/source.ts'
import type { Bindable, Sql } from '../sql/sql.ts'

/** A compiled statement: plans of the same shape have the same text. */
export interface Statement {
  readonly text: string
  readonly values: readonly Bindable[]
  /** Whether each execution is planned for its values: the best plan of a search depends on the phrase. Default false. */
  readonly planned?: boolean
}

export type Row = readonly unknown[]

/** A row by the names of its columns; values as the text that PostgreSQL sends. */
export type NamedRow = Readonly<Record<string, string | null>>

/** Runs statements: in a transaction, or each on its own. */
export interface Queryable {
  /**
   * Runs a statement.
   *
   *     const [row] = await tx.run(sql`select count(*) as "n" from ${sql.id(type.table)}`)
   *     Number(row?.n)
   *
   * @throws OctavoError `database/…`
   */
  run(statement: Sql): Promise<readonly NamedRow[]>
  /** The rows of a content-type, a component or a table of the plugin's own. */
  rows<R = Readonly<Record<string, unknown>>>(source: RowSource<R>): Rows<R>
  /** Rows as arrays, in the order of the select list. */
  query(text: string, values?: readonly Bindable[]): Promise<readonly Row[]>
}

/** Runs statements in one transaction. */
export interface Transaction extends Queryable {
  /**
   * Waits for the advisory lock of this name and holds it until the transaction ends.
   * @param onWait Called when another transaction has the lock. Default: nothing.
   */
  lock(name: string, onWait?: () => void): Promise<void>
  /**
   * Lifts the limits of time of requests, for a transaction that reads or writes whole tables, or waits for a file or another server: those
   * of its statements, and `limits.transactionTime` between them. The limit of a write with its hooks remains.
   */
  liftTimeLimits(): Promise<void>
}

/** A transaction that sends several statements in one round trip. */
export interface BatchedTransaction extends Transaction {
  /**
   * Runs a statement without a result together with the next one, in one round trip. An error of it is the error of the next
   * statement, of {@link flush} or of the commit.
   * @param onRow Receives the rows that it returns. Default: they are ignored.
   */
  send(statement: Sql, onRow?: (row: Row) => void): void
  /**
   * Statements of the transaction are not sent together with those of other transactions. For one that locks several existing rows, or
   * writes unique values: two messages with the same ones in another order would wait for each other.
   */
  stayAlone(): void
  /**
   * Statements of the transaction are sent together only with those of transactions that name the same rows. For one that refers to existing rows: it
   * waits while another transaction deletes one of them.
   * @param rows Any text that is equal for the same rows. Empty: none.
   * @param locked The id of the existing row that it locks. The writes of a message lock their rows in ascending order, and each runs alone when
   * one of them would wait longer than 50 ms. Default: it locks none.
   */
  shareAmong(rows: string, locked?: number): void
  /** Runs the statements of {@link send} that have not run yet. */
  flush(): Promise<void>
  /** Runs the statements of {@link send} that have not run yet and commits, in one round trip. It is not committed when this rejects. */
  commitSent(): Promise<void>
}

/** Receives the payload of a message; `undefined` after the connection was lost, when messages may be missing. */
export type MessageHandler = (payload: string | undefined) => void

/** Runs a text without parameters, and returns its rows with values as the text that PostgreSQL sends. */
export type SessionQuery = (text: string) => Promise<readonly Row[]>

/**
 * Options of a read statement. `signal` cancels it, where the engine supports it; the call then rejects with
 * `database/abandoned`.
 */
export type ExecuteOptions = Demand

/** Prepared statements over all connections of a pool; counters run since the pool was opened. */
export interface PreparedFigures {
  /** Prepared statements at present. */
  readonly named: number
  /** Prepared statements that were evicted. */
  readonly evicted: number
  /** Statements that ran unprepared. */
  readonly unnamed: number
}

/** Figures of the connection pool and its prepared statements. */
export interface ConnectionFigures extends PreparedFigures {
  readonly open: number
  readonly idle: number
  /** Reads and transactions that wait for a connection. */
  readonly waiting: number
  /** Heavy statements that wait for one of their connections. */
  readonly heavyWaiting: number
  /** Reads and transactions that were refused because they would have waited too long. */
  readonly refused: number
  /** Connections that were recycled; see `recycling`. */
  readonly recycled: number
  /** Statements that were cancelled because the client had disconnected. */
  readonly cancelled: number
}

/** The database, in either engine. */
export interface Store extends Queryable {
  readonly engine: 'postgresql' | 'pglite'
  /** Runs a compiled read, as a named prepared statement where the engine supports them. @throws OctavoError `database/…` */
  execute(statement: Statement, options?: ExecuteOptions): Promise<readonly Row[]>
  /**
   * Runs a statement on a replica that has replayed the position `after` (see {@link position}); on the database itself when there
   * is none.
   */
  executeOnReplica(
    statement: Statement,
    after: string | undefined,
    options?: ExecuteOptions,
  ): Promise<readonly Row[]>
  /** The current write position, for {@link executeOnReplica}; `undefined` without replicas. */
  position(): Promise<string | undefined>
  readonly hasReplicas: boolean
  transaction<T>(work: (tx: BatchedTransaction) => Promise<T>, demand?: Demand): Promise<T>
  /**
   * Listens to a channel of `select pg_notify(channel, payload)` until the store is closed. Messages arrive after the
   * sender's commit; messages of this process are included.
   */
  listen(channel: string, handler: MessageHandler): Promise<void>
  /**
   * Runs statements on a connection of their own, outside of transactions and without a time limit, for upkeep such as `create index
   * concurrently`. The server breaks a statement off when this process ends.
   */
  session<T>(work: (run: SessionQuery) => Promise<T>): Promise<T>
  /**
   * Runs work while no other process of the database, and nothing else in this one, runs work of this name. No transaction is open meanwhile, so
   * that the work may wait for other servers. Work of the same name that it runs itself is a part of it.
   */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>
  /** `undefined` for the embedded engine, which has one connection. */
  connections(): ConnectionFigures | undefined
  /**
   * The time by the database's clock, or up to some milliseconds before. Times that are stored, or compared with stored ones, are of this clock: that
   * of the server may be another.
   */
  now(): Date
  /** @throws OctavoError `database/unavailable` */
  ping(): Promise<void>
  close(): Promise<void>
}
