import type { PoolClient } from 'pg'
import type { Bindable } from '../sql/sql.ts'
import { Batch, type BatchResult, type BatchStatement } from './batch.ts'
import { ignoredError } from './ignored-error.ts'
import { toParameter } from './parameter.ts'
import type { ConnectionNames } from './prepared-statements.ts'
import type { RawResult, RawTransaction } from './queryable.ts'
import type { Row } from './store.ts'
import { Turns } from './turns.ts'

const begin: BatchStatement = { text: 'begin', name: 'octavo_begin', values: [] }
const commit: BatchStatement = { text: 'commit', name: 'octavo_commit', values: [] }
const unnamed = (statement: BatchStatement): BatchStatement => ({ ...statement, name: undefined })

export interface PgTransactionParts {
  readonly client: PoolClient
  readonly names: ConnectionNames
  /** Whether statements may have names. */
  readonly mayName: boolean
  /** Runs a text that may contain several statements, without values. */
  readonly plain: (text: string) => Promise<RawResult>
  /** Deallocates the evicted names of the connection. */
  readonly deallocate: () => Promise<void>
}

/**
 * A transaction on one connection, with few round trips: `begin` is sent with the first statement, a statement without a
 * result with the next one, and `commit` with the last one where that is known. One round trip needs neither `begin` nor `commit`.
 *
 * Statements that are started together run one at a time, in their order: pg 9 refuses a second one.
 */
export class PgTransaction implements RawTransaction {
  readonly #parts: PgTransactionParts
  /** Statements to send with the next one. */
  #waiting: BatchStatement[] = [begin]
  #state: 'unsent' | 'open' | 'over' = 'unsent'
  readonly #turns = new Turns()

  constructor(parts: PgTransactionParts) {
    this.#parts = parts
  }

  async query(text: string, values: readonly Bindable[] = []): Promise<RawResult> {
    if (values.length > 0) return this.#run([this.#statement(text, values)])
    // A text without values may contain several statements, which a batch cannot.
    const flushed = this.#waiting.length > 0 ? this.#batchOf([]) : undefined
    return this.#turns.take(async () => {
      if (flushed) await this.#send(flushed)
      return this.#parts.plain(text)
    })
  }

  send(text: string, values: readonly Bindable[], onRow?: (row: Row) => void): void {
    this.#waiting.push(this.#statement(text, values, onRow))
  }

  async flush(): Promise<void> {
    if (this.#waiting.length > 0) await this.#run([])
  }

  commitWith(text: string, values: readonly Bindable[]): Promise<RawResult> {
    return this.#run([this.#statement(text, values), commit])
  }

  /** Commits, unless {@link commitWith} did. Without a statement there was no transaction. */
  async commit(): Promise<void> {
    const isUnused = this.#state === 'unsent' && this.#waiting.length === 1
    if (this.#state !== 'over' && !isUnused) await this.#run([commit])
  }

  async rollback(): Promise<void> {
    if (this.#state !== 'unsent') await this.#turns.take(() => this.#parts.client.query('rollback'))
  }

  #statement(text: string, values: readonly Bindable[], onRow?: (row: Row) => void): BatchStatement {
    const { names, mayName } = this.#parts
    return { text, name: mayName ? names.of(text) : undefined, values: values.map(toParameter), onRow }
  }

  /** Returns the rows of the first of the statements. */
  async #run(statements: readonly BatchStatement[]): Promise<RawResult> {
    const batch = this.#batchOf(statements)
    return committed(await this.#turns.take(() => this.#send(batch)), statements)
  }

  /** The statements with those that wait; composed when they are started, whenever their turn comes. */
  #batchOf(statements: readonly BatchStatement[]): WaitingBatch {
    // PostgreSQL runs the statements of one batch in one transaction, so one that is in the batch as a whole needs no `begin`.
    const isWhole = this.#state === 'unsent' && statements.at(-1) === commit
    const before = isWhole ? this.#waiting.slice(1) : this.#waiting
    const all = [...before, ...(isWhole ? statements.slice(0, -1) : statements)]
    this.#waiting = []
    if (this.#state !== 'over') this.#state = statements.at(-1) === commit ? 'over' : 'open'
    return { all, wanted: statements[0] === commit ? -1 : before.length }
  }

  async #send({ all, wanted }: WaitingBatch): Promise<BatchResult> {
    const { client, names, mayName, deallocate } = this.#parts
    // A name may have been evicted for a later statement while one that waits has it, which would prepare it again.
    if (names.hasEvicted && this.#turns.isLast) await deallocate()
    return new Promise((resolve, reject) => {
      client.query(
        new Batch(mayName ? all : all.map(unnamed), { wanted, isDescribed: true }, (error, result) =>
          error ? reject(error) : resolve(result),
        ),
      )
    })
  }
}

interface WaitingBatch {
  readonly all: readonly BatchStatement[]
  /** The index of the statement whose rows are returned; -1: none. */
  readonly wanted: number
}

/**
 * PostgreSQL answers the commit of a transaction in which a statement failed with `ROLLBACK`, and without an error.
 * @throws Error
 */
function committed(result: BatchResult, statements: readonly BatchStatement[]): BatchResult {
  if (statements.at(-1) === commit && result.lastTag === 'ROLLBACK') throw ignoredError()
  return result
}
