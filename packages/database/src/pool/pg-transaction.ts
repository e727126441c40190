import type { PoolClient } from 'pg'
import { mayBeCommitted, noteUnknown } from '../error/database-error.ts'
import { ignoredError } from '../error/ignored-error.ts'
import type { Bindable } from '../sql/sql.ts'
import type { RawResult, RawTransaction } from '../store/queryable.ts'
import type { Row } from '../store/store.ts'
import { Batch, type BatchResult } from '../wire/batch.ts'
import type { ConnectionNames } from '../wire/prepared-statements.ts'
import { UnsentStatement } from '../wire/unsent-statement.ts'
import type { GatheredWrites, Outcome, WholeTransaction } from './gathered-writes.ts'
import { Turns } from './turns.ts'

const commitText = 'commit'

export interface PgTransactionParts {
  readonly client: PoolClient
  readonly names: ConnectionNames
  /** Whether statements may have names. */
  readonly mayName: boolean
  /** Runs a text that may contain several statements, without values. */
  readonly plain: (text: string) => Promise<RawResult>
  /** Deallocates the evicted names of the connection. */
  readonly deallocate: () => Promise<void>
  /** Sends transactions that are one message, those of several clients together. */
  readonly gathered: GatheredWrites
}

/**
 * A transaction on one connection, with few round trips: `begin` is sent with the first statement, a statement without a
 * result with the next one, and `commit` with the last one where that is known. One round trip needs neither `begin` nor `commit`,
 * and is sent with those of other transactions.
 *
 * Statements that are started together run one at a time, in their order: pg 9 refuses a second one.
 */
export class PgTransaction implements RawTransaction {
  readonly #parts: PgTransactionParts
  /** Statements to send with the next one. */
  #waiting: UnsentStatement[] = [new UnsentStatement('begin', [])]
  #state: 'unsent' | 'open' | 'over' = 'unsent'
  /** Whether it is one message, which PostgreSQL rolls back by itself when it fails. */
  #isWhole = false
  #isAlone = false
  #shared: Pick<WholeTransaction, 'among' | 'locked'> = { among: '', locked: undefined }
  readonly #turns = new Turns()

  constructor(parts: PgTransactionParts) {
    this.#parts = parts
  }

  async query(text: string, values: readonly Bindable[] = []): Promise<RawResult> {
    if (values.length > 0) return this.#run([new UnsentStatement(text, values)], 0)
    // A text without values may contain several statements, which a batch cannot.
    const flushed = this.#waiting.length > 0 ? this.#batchOf([], -1) : undefined
    return this.#turns.take(async () => {
      if (flushed) resultOf(await this.#send(flushed))
      return this.#parts.plain(text)
    })
  }

  send(text: string, values: readonly Bindable[], onRow?: (row: Row) => void): void {
    this.#waiting.push(new UnsentStatement(text, values, onRow))
  }

  stayAlone(): void {
    this.#isAlone = true
  }

  shareAmong(rows: string, locked?: number): void {
    this.#shared = { among: rows, locked }
  }

  async flush(): Promise<void> {
    if (this.#waiting.length > 0) await this.#run([], -1)
  }

  async commitSent(): Promise<void> {
    const mayBeGathered = this.#state === 'unsent' && !this.#isAlone && this.#waiting.length > 1
    const isDone = mayBeGathered && (await this.#committedWithOthers(this.#waiting.slice(1)))
    if (!isDone) await this.commit()
  }

  /** Commits, unless {@link commitSent} did. Without a statement there was no transaction. */
  async commit(): Promise<void> {
    const isUnused = this.#state === 'unsent' && this.#waiting.length === 1
    if (this.#state !== 'over' && !isUnused) await this.#run([new UnsentStatement(commitText, [])], -1)
  }

  async rollback(): Promise<void> {
    if (this.#state === 'unsent' || this.#isWhole) return
    await this.#turns.take(() => this.#parts.client.query('rollback'))
  }

  /** @returns whether the transaction is committed; if not, nothing of it has happened. */
  async #committedWithOthers(statements: readonly UnsentStatement[]): Promise<boolean> {
    const run: WholeTransaction['run'] = async (all) => {
      const batch = { all, wanted: -1 }
      return known(await this.#turns.take(() => this.#send(batch)), batch)
    }
    const isDone = await this.#parts.gathered.run({ ...this.#shared, statements, run })
    if (isDone) {
      this.#waiting = []
      this.#state = 'over'
    }
    return isDone
  }

  /** @param wanted The index of the statement whose rows are returned; -1: none. */
  async #run(statements: readonly UnsentStatement[], wanted: number): Promise<RawResult> {
    const batch = this.#batchOf(statements, wanted)
    const outcome = await this.#turns.take(() => this.#send(batch))
    const endsHere = statements.at(-1)?.text === commitText
    return committed(resultOf(endsHere ? known(outcome, batch) : outcome), statements)
  }

  /** The statements with those that wait; composed when they are started, whenever their turn comes. */
  #batchOf(statements: readonly UnsentStatement[], wanted: number): WaitingBatch {
    const endsHere = statements.at(-1)?.text === commitText
    // PostgreSQL runs the statements of one batch in one transaction, so one that is in the batch as a whole needs no `begin`.
    const isWhole = this.#state === 'unsent' && endsHere
    if (isWhole) this.#isWhole = true
    const before = isWhole ? this.#waiting.slice(1) : this.#waiting
    const all = [...before, ...(isWhole ? statements.slice(0, -1) : statements)]
    this.#waiting = []
    if (this.#state !== 'over') this.#state = endsHere ? 'over' : 'open'
    return { all, wanted: wanted === -1 ? -1 : before.length + wanted }
  }

  async #send({ all, wanted }: WaitingBatch): Promise<Outcome> {
    const { client, names, mayName, deallocate } = this.#parts
    for (const statement of all) statement.begin(mayName ? names.of(statement.text) : undefined)
    if (names.hasEvicted) await deallocate()
    const outcome = await new Promise<Outcome>((resolve) => {
      const done = (error: Error | undefined, result: BatchResult): void => resolve({ error, result })
      client.query(new Batch(all, { wanted, isDescribed: wanted !== -1 }, done))
    })
    if (!outcome.error) for (const statement of all) statement.end()
    return outcome
  }
}

/** Notes when the error of a message that ends with a commit leaves open whether it happened. */
function known(outcome: Outcome, { all }: WaitingBatch): Outcome {
  const { error, result } = outcome
  // The commit is the last statement, or happens after the last one.
  const before = all.filter(({ text }) => text !== commitText).length
  if (error && mayBeCommitted(error, result.completed >= before)) noteUnknown(error)
  return outcome
}

function resultOf({ error, result }: Outcome): BatchResult {
  if (error) throw error
  return result
}

interface WaitingBatch {
  readonly all: readonly UnsentStatement[]
  /** The index of the statement whose rows are returned; -1: none. */
  readonly wanted: number
}

/**
 * PostgreSQL answers the commit of a transaction in which a statement failed with `ROLLBACK`, and without an error.
 * @throws Error
 */
function committed(result: BatchResult, statements: readonly UnsentStatement[]): BatchResult {
  if (statements.at(-1)?.text === commitText && result.lastTag === 'ROLLBACK') throw ignoredError()
  return result
}
