import type { Bindable } from '../content-type/attribute-type.ts'
import type { PreparedFigures } from './prepared-statements.ts'

/** A statement as compile makes it: the same shape of question always has the same text. */
export interface Statement {
  readonly text: string
  readonly values: readonly Bindable[]
}

export type Row = readonly unknown[]

/** Runs statements inside one transaction. */
export interface Transaction {
  /** Rows as arrays, in the order of the select list. */
  query(text: string, values?: readonly Bindable[]): Promise<readonly Row[]>
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
export interface Store extends Transaction {
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
