import type { Demand } from './admission.ts'
import type { RawQuery } from './queryable.ts'
import type {
  ConnectionFigures,
  ExecuteOptions,
  MessageHandler,
  Row,
  Statement,
  Transaction,
} from './store.ts'

/** What differs between a PostgreSQL server and the embedded one. Errors are the driver's own: the store translates. */
export interface Engine {
  readonly name: 'postgresql' | 'pglite'
  readonly query: RawQuery
  /** Runs one of a bounded set of texts: worth preparing. */
  execute(statement: Statement, options?: ExecuteOptions): Promise<readonly Row[]>
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, demand?: Demand): Promise<T>
  listen(channel: string, handler: MessageHandler): Promise<void>
  /** Rejects when the database does not answer. */
  ping(): Promise<void>
  connections(): ConnectionFigures | undefined
  close(): Promise<void>
}

/**
 * What every connection is set to. UTC and ISO: a text of a date must mean the same on any server. No JIT: it is for
 * queries of minutes; on ours, which are large but short, compiling would cost more than running. Pages at random cost
 * about as much as pages in order: what is asked often is in memory, and the default of 4 is that of a turning disk.
 */
export const sessionSettings = [
  "set time zone 'UTC'",
  "set datestyle to 'ISO'",
  'set jit to off',
  'set random_page_cost to 1.1',
] as const

/** Values leave as the text that PostgreSQL sends: answers are its JSON text, and no precision is lost in between. */
export const asText = (text: string): string => text
