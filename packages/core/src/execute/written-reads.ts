import { type BatchedTransaction, kept, type Queryable, type Row } from '@octavo/database'
import { isOverBound } from '../compile/bound-size.ts'
import { restartCount } from '../compile/guards.ts'
import { problem } from '../error/problems.ts'
import type { WriteStatement } from '../plugin/write-hooks.ts'
import type { ReadAnswer, ReadRequest } from '../requests.ts'
import type { Step } from '../trace.ts'
import type { Prepared, RowAnswer } from './prepared.ts'
import type { PreparedReads } from './prepared-reads.ts'

/** A statement that follows the read of an answer, such as the deletion of the entry. */
export type Following = Pick<WriteStatement, 'statement' | 'receive'>

/** The reads of writes: in their transactions, of the entries that they write. */
export class WrittenReads {
  readonly #reads: PreparedReads

  constructor(reads: PreparedReads) {
    this.#reads = reads
  }

  /** Validates the query of a read, without running it. @throws OctavoError */
  check(request: ReadRequest): void {
    this.#reads.prepare(request)
  }

  /** Whether plugins narrow the entries of the type for this action. @throws ForbiddenError when all are. */
  narrows(request: Pick<ReadRequest, 'type' | 'action' | 'state'>): boolean {
    return this.#reads.prepare({ ...request, kind: 'one', id: 0, query: 'fields=id' }).narrowed
  }

  /** Reads in a running transaction. @param of `written` in place of the entry with the id of the request. @throws OctavoError */
  async readIn(tx: Queryable, request: ReadRequest, of?: 'written'): Promise<ReadAnswer> {
    const prepared = this.#reads.prepare(request, of)
    if (prepared.isHeavy) await tx.run(restartCount)
    const rows = await this.#reads.rows(prepared, request, tx, ({ text, values }) => tx.query(text, values))
    return this.#reads.answer(prepared, rows, request, tx)
  }

  /**
   * Reads as the last statement of a transaction. One entry without relations is read and committed in one round trip,
   * unless plugins narrow it: the answer then decides whether the transaction is committed.
   * @throws OctavoError; the transaction is not committed then.
   */
  readLast(tx: BatchedTransaction, request: ReadRequest): Promise<ReadAnswer> {
    return this.mayReadLast(request)
      ? this.#readLast(tx, this.#reads.prepare(request), request)
      : this.readIn(tx, request)
  }

  /** Whether {@link readLast} takes one round trip. */
  mayReadLast(request: ReadRequest): boolean {
    const { last, narrowed, hasFunctions } = this.#reads.prepare(request)
    // A function that throws undoes the write.
    return last !== undefined && !narrowed && !hasFunctions
  }

  /**
   * The answer of the entry that the message writes, as an expression over its row: where it has the entry's own values only, and
   * no plugin narrows the entries.
   */
  ofRow(request: ReadRequest): RowAnswer | undefined {
    return this.#reads.prepare(request, 'written').ofRow
  }

  /** The answer of the text that {@link ofRow} gave. */
  answered(text: string | null, request: ReadRequest, tx: Queryable): Promise<ReadAnswer> | ReadAnswer {
    const rows = text === null ? [] : [[text]]
    return this.#reads.answer(this.#reads.prepare(request, 'written'), rows, request, tx)
  }

  /** Runs what was sent, and commits unless others follow. @throws OctavoError for an answer that is too large */
  async run(tx: BatchedTransaction, isLast = true): Promise<void> {
    try {
      await (isLast ? tx.commitSent() : tx.flush())
    } catch (error) {
      if (!isOverBound(error)) throw error
      const limit = this.#reads.environment.limits.answerBytes
      throw problem('query/answer-too-large', { at: 'pagination', limit, unit: 'bytes' }, { cause: error })
    }
  }

  /**
   * Reads the entry that the message writes, where {@link mayReadLast}.
   * @param after Statements that are run after the read. Default: none.
   */
  readWritten(
    tx: BatchedTransaction,
    request: ReadRequest,
    after: readonly Following[] = [],
  ): Promise<ReadAnswer> {
    return this.#readLast(tx, this.#reads.prepare(request, 'written'), request, after)
  }

  async #readLast(
    tx: BatchedTransaction,
    prepared: Prepared,
    request: ReadRequest,
    after: readonly Following[] = [],
  ): Promise<ReadAnswer> {
    const { last } = prepared
    if (!last) throw new Error('The entry has no statement for the end of a transaction')
    const step: Step = { name: 'execute', details: { statement: last.text } }
    const rows: Row[] = []
    tx.send(kept(last.text, this.#reads.valuesFor(last, request)), (row) => rows.push(row))
    for (const { statement, receive } of after) tx.send(statement, receive)
    await this.#reads.trace(step, () => this.run(tx))
    return this.#reads.answer(prepared, rows, request, tx)
  }
}
