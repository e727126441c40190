import { type BatchedTransaction, composed, type Queryable, type Row } from '@octavo/database'
import { isOverBound } from '../compile/bound-size.ts'
import { exceededBound, restartCount } from '../compile/guards.ts'
import { type ContentType, hasSiblings } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import { unrestricted } from '../plugin/unrestricted.ts'
import type { WriteStatement } from '../plugin/write-event.ts'
import type { ReadAnswer, ReadRequest } from '../requests.ts'
import type { Step } from '../trace.ts'
import type { Prepared, RowAnswer } from './prepared.ts'
import type { PreparedReads } from './prepared-reads.ts'

/** A statement that follows the read of an answer, such as the deletion of the entry. */
export type Following = Pick<WriteStatement, 'statement' | 'receive'>

/** The read of the entry that a message writes, in one of three ways. */
export interface WrittenRead {
  /**
   * The answer as an expression over the written row, for {@link answered}: where it has the entry's own values only, and no plugin
   * narrows the entries.
   */
  readonly ofRow: RowAnswer | undefined
  answered(text: string | null): Promise<ReadAnswer> | ReadAnswer
  /** Whether there is a {@link readLast}, which takes one round trip. @param mayTry Whether the write may begin anew, step by step. */
  readonly mayBeLast: (mayTry: boolean) => boolean
  /**
   * Reads, runs further statements, and commits.
   * @throws OctavoError; {@link needsSteps} for an answer of relations that may be too large; nothing is committed then.
   */
  readLast(after: readonly Following[]): Promise<ReadAnswer>
  /** @throws OctavoError */
  read(): Promise<ReadAnswer>
}

/** The error of a message that was tried, for a write that has to run step by step. */
export const needsSteps = new Error('The write runs step by step')

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

  /** Whether a single type has the entry that a query names, such as that of a locale, whoever may reach it. */
  async hasSingle({ type, query }: Pick<ReadRequest, 'type' | 'query'>, tx: Queryable): Promise<boolean> {
    const state = unrestricted('a single type has one entry')
    const { data } = await this.readIn(tx, { type, action: 'update', kind: 'one', query, state })
    return data !== undefined
  }

  /**
   * Locks a type, of which an entry is created, if it is a single type. The plugin that adds localizations decides about those.
   * @throws ValidationError `entry/second-single`
   */
  async refuseSecond(type: ContentType, tx: BatchedTransaction): Promise<void> {
    if (type.kind !== 'singleType' || hasSiblings(type)) return
    await tx.lock(type.uid)
    if (await this.hasSingle({ type, query: '' }, tx))
      throw problem('entry/second-single', { type: type.singularName })
  }

  /** Reads in a running transaction. @throws OctavoError */
  readIn(tx: Queryable, request: ReadRequest): Promise<ReadAnswer> {
    return this.#readIn(tx, this.#reads.prepare(request), request)
  }

  /**
   * Reads as the last statement of a transaction. One entry without relations is read and committed in one round trip,
   * unless plugins narrow it: the answer then decides whether the transaction is committed.
   * @throws OctavoError; the transaction is not committed then.
   */
  readLast(tx: BatchedTransaction, request: ReadRequest): Promise<ReadAnswer> {
    const prepared = this.#reads.prepare(request)
    return mayBeLast(prepared, false)
      ? this.#readLast(tx, prepared, request)
      : this.#readIn(tx, prepared, request)
  }

  /** The read of the entry that the message of a transaction writes. @param request Its id is not used. */
  written(tx: BatchedTransaction, request: ReadRequest): WrittenRead {
    const prepared = this.#reads.prepare(request, 'written')
    return {
      ofRow: prepared.ofRow,
      mayBeLast: (mayTry) => mayBeLast(prepared, mayTry),
      answered: (text) => this.#reads.answer(prepared, text === null ? [] : [[text]], request, tx),
      readLast: (after) => this.#readLast(tx, prepared, request, after),
      read: () => this.#readIn(tx, prepared, request),
    }
  }

  /** Runs what was sent, and commits unless others follow. @throws OctavoError for an answer that is too large */
  async run(tx: BatchedTransaction, isLast = true): Promise<void> {
    try {
      await (isLast ? tx.commitSent() : tx.flush())
    } catch (error) {
      throw this.#tooLarge(error)
    }
  }

  /** The error of an answer that is too large; any other error unchanged. */
  #tooLarge(error: unknown): unknown {
    if (!isOverBound(error)) return error
    const limit = this.#reads.environment.limits.answerBytes
    return problem('query/answer-too-large', { at: 'pagination', limit, unit: 'bytes' }, { cause: error })
  }

  async #readIn(tx: Queryable, prepared: Prepared, request: ReadRequest): Promise<ReadAnswer> {
    if (prepared.isHeavy) await tx.run(restartCount)
    const rows = await this.#reads.rows(prepared, request, tx, ({ text, values }) => tx.query(text, values))
    return this.#reads.answer(prepared, rows, request, tx)
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
    if (prepared.isHeavy) tx.send(restartCount)
    tx.send(composed(last.text, this.#reads.valuesFor(last, request)), (row) => rows.push(row))
    for (const { statement, receive } of after) tx.send(statement, receive)
    try {
      await this.#reads.trace(step, () => tx.commitSent())
    } catch (error) {
      if (hasRelations(prepared) && (isOverBound(error) || exceededBound(error))) throw needsSteps
      throw this.#tooLarge(error)
    }
    return this.#reads.answer(prepared, rows, request, tx)
  }
}

/** Whether a read may be the last statement of a transaction. A function that throws undoes the write. */
const mayBeLast = (prepared: Prepared, mayTry: boolean): boolean =>
  prepared.last !== undefined &&
  !prepared.narrowed &&
  !prepared.hasFunctions &&
  (!hasRelations(prepared) || (mayTry && prepared.searches === 'none'))

const hasRelations = ({ plan }: Prepared): boolean => plan.kind !== 'count' && plan.root.children.length > 0
