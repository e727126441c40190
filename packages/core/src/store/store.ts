import type { Model } from '../content-type/model.ts'
import type { Rows } from '../rows/rows.ts'
import type { RowSource } from '../rows/source.ts'
import type { Bindable, Sql } from '../sql/sql.ts'
import type { PreparedFigures } from './prepared-statements.ts'

/** A statement as compile makes it: the same shape of question always has the same text. */
export interface Statement {
  readonly text: string
  readonly values: readonly Bindable[]
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
  rows<R = Readonly<Record<string, unknown>>>(source: Model | RowSource<R>): Rows<R>
  /** Rows as arrays, in the order of the select list. */
  query(text: string, values?: readonly Bindable[]): Promise<readonly Row[]>
}

/** Runs statements inside one transaction. */
export interface Transaction extends Queryable {
  /** Waits for the lock of this name and holds it until the transaction ends, so that processes take turns. */
  lock(name: string): Promise<void>
}

/** Told what another process sent; `undefined`: the connection was lost for a while, and anything may have been missed. */
export type Told = (payload: string | undefined) => void

/** How a reading statement is run. */
export interface ExecuteOptions {
  /** Cancels the statement, where the engine can; it then rejects with `database/abandoned`. */
  readonly signal?: AbortSignal | undefined
  /** It takes one of the few places for heavy statements. Default false. */
  readonly heavy?: boolean
}

/** The pool of connections, and the statements that they have prepared. */
export interface ConnectionFigures extends PreparedFigures {
  readonly open: number
  readonly idle: number
  /** Statements that wait for one to come free. */
  readonly waiting: number
  /** Heavy statements that wait for one of their places. */
  readonly heavyWaiting: number
  /** Connections that were closed because of the statements that they had run. */
  readonly recycled: number
  /** Statements that were cancelled because nobody waited for the answer any more. */
  readonly cancelled: number
}

/** The database, in either engine. */
export interface Store extends Queryable {
  readonly engine: 'postgresql' | 'pglite'
  /** Runs a reading statement of compile's as a named prepared one where the engine has them. @throws OctavoError `database/…` */
  execute(statement: Statement, options?: ExecuteOptions): Promise<readonly Row[]>
  /**
   * The same, where a replica may answer that knows of all up to `after` (a {@link position}); the database itself does
   * where none can.
   */
  executeOnReplica(
    statement: Statement,
    after: string | undefined,
    options?: ExecuteOptions,
  ): Promise<readonly Row[]>
  /** How far the database is written, for {@link executeOnReplica}; `undefined` when there are no replicas. */
  position(): Promise<string | undefined>
  readonly hasReplicas: boolean
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Hears what any process sends on a channel by `select pg_notify(channel, payload)`, once its transaction is committed,
   * until the store is closed. What this process sends comes as well.
   */
  listen(channel: string, told: Told): Promise<void>
  /** `undefined` for the embedded engine, which has one. */
  connections(): ConnectionFigures | undefined
  /** @throws when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
