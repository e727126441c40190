import type { BatchedTransaction } from '@octavo/database'
import type { ContentType } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import type { Following } from '../../execute/written-reads.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import type { WriteEvent } from '../../plugin/write-hooks.ts'
import type {
  BulkRequest,
  BulkResult,
  OnceResult,
  ReadAnswer,
  ReadRequest,
  Repeatable,
  WriteRequest,
} from '../../requests.ts'
import { WriteRights } from '../check/rights.ts'
import { deletionOf } from '../compile/delete-rows.ts'
import { idsOfMessage } from '../compile/ids.ts'
import { pluginStatements } from '../compile/plugin-statements.ts'
import type { Pending } from '../input/pending.ts'
import { isFoundFirst, type MessagePlan, messageOf } from '../strategy.ts'
import { prepareInput } from './entry-inputs.ts'
import { EntryLocks } from './entry-locks.ts'
import { EntryWrites } from './entry-writes.ts'
import { hookWriter } from './hook-writer.ts'
import { sendMessage } from './message.ts'
import { claim, keep } from './stored-answers.ts'
import type { WriteParts, Writing } from './write-parts.ts'

/** Batch size of a bulk write, which bounds its memory. */
const chunkSize = 1_000

/** The reads and writes that a caller requests in one transaction. */
export class WriteSession {
  readonly #writing: Writing
  readonly #parts: WriteParts
  readonly #tx: BatchedTransaction
  readonly #entries: EntryWrites

  constructor(parts: WriteParts, tx: BatchedTransaction, state: RequestState) {
    const rights = new WriteRights(parts, tx, state)
    this.#writing = { parts, tx, state, locks: new EntryLocks(tx), rights }
    this.#parts = parts
    this.#tx = tx
    this.#entries = new EntryWrites(this.#writing, hookWriter)
  }

  /** The writes so far, in order. */
  get written(): EntryWrites['written'] {
    return this.#entries.written
  }

  /** Reads in this transaction. @throws OctavoError */
  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#parts.reads.readIn(this.#tx, request)
  }

  /** Runs a write and returns the entry; `data` is `undefined` when there is no entry that the caller may write. @throws OctavoError */
  async write(request: WriteRequest): Promise<ReadAnswer> {
    return (await this.writeAs(request))()
  }

  /**
   * Runs a write.
   * @param isLast Whether it is the last of the transaction, which it may commit. Default false.
   * @returns the answer, or a function that throws what is wrong, when nothing was written.
   */
  async writeAs(request: WriteRequest, isLast = false): Promise<() => ReadAnswer> {
    const { type, input = {} } = request
    let { action, id } = request
    const event = (): WriteEvent =>
      this.#entries.event(action, type, action === 'create' ? undefined : id, input)
    const find = async (): Promise<boolean> => {
      id = await this.#idOf(request)
      await this.#checkPrecondition(request, id)
      return id !== undefined
    }
    const isFound = action !== 'create' && isFoundFirst(request, event(), this.#parts)
    if (isFound && !(await find())) {
      if (action !== 'update' || type.kind !== 'singleType') return () => ({ data: undefined })
      // The first update of a single type creates its entry.
      action = 'create'
    }
    const pending = await prepareInput(event(), [], this.#writing)
    const message = await messageOf(pending, this.#parts, this.#writing.rights)
    if (message) return this.#message(message, pending.event, request, isLast)
    if (action !== 'create' && !isFound && !(await find())) return () => ({ data: undefined })
    const answer = await this.#steps(request, pending, isLast)
    return () => answer
  }

  /**
   * Writes once for a key, and gives the first answer to every later write with it.
   * @throws OctavoError 422 `entry/key-reused`
   */
  async writeOnce(request: WriteRequest, repeatable: Repeatable): Promise<() => ReadAnswer> {
    const former = await claim(this.#tx, repeatable)
    if (former !== undefined) return () => ({ data: former, isRepeated: true })
    const answer = await this.write(request)
    if (answer.data !== undefined) await keep(this.#tx, repeatable, answer.data)
    return () => answer
  }

  /**
   * Runs `work` once for a key, and gives its text to every later call with the key.
   * @throws OctavoError 422 `entry/key-reused`
   */
  async once(repeatable: Repeatable, work: () => Promise<string>): Promise<OnceResult> {
    const former = await claim(this.#tx, repeatable)
    if (former !== undefined) return { answer: former, isRepeated: true }
    const answer = await work()
    await keep(this.#tx, repeatable, answer)
    return { answer, isRepeated: false }
  }

  async #message(
    message: MessagePlan,
    event: WriteEvent,
    { type, action, query, state }: WriteRequest,
    isLast: boolean,
  ): Promise<() => ReadAnswer> {
    const { reads, registry } = this.#parts
    const request = { type, action, kind: 'one', id: 0, query, state } as const
    const read = reads.written(this.#tx, request)
    const mayReadAll = this.#writing.rights.mayReadAll(type, action)
    const { row, kind } = message.plan
    const ids = idsOfMessage([row])
    const id = ids.of(row)
    const statements = pluginStatements(event, id, this.#parts)
    const after = statements.filter(({ when }) => when === 'after')
    const following: readonly Following[] =
      kind === 'delete' ? [{ statement: deletionOf(type, id, registry) }, ...after] : []
    // Statements of plugins may change the entry before it is read.
    const ofRow = mayReadAll && statements.length === 0 ? read.ofRow : undefined
    const sent = await sendMessage(message, { ids, statements, answer: ofRow }, registry, this.#tx)
    const isRead = ofRow !== undefined || (isLast && mayReadAll && read.mayBeLast)
    if (ofRow) {
      for (const { statement, receive } of following) this.#tx.send(statement, receive)
      await reads.run(this.#tx, isLast)
    }
    const found = ofRow ? undefined : isRead ? await read.readLast(following) : await read.read()
    const outcome = sent()
    if (outcome.kind === 'missing') return () => ({ data: undefined })
    if (outcome.kind === 'refused')
      return () => {
        throw outcome.error
      }
    // The write moved the entry out of the caller's reach.
    const answer = found ?? (await read.answered(outcome.answer))
    if (answer.data === undefined) throw problem('entry/forbidden')
    if (!isRead) for (const { statement, receive } of following) this.#tx.send(statement, receive)
    if (kind === 'delete') this.#writing.locks.forget(type, outcome.id)
    this.#entries.done({ ...event, id: outcome.id })
    const shown = isRead ? answer : await this.#readable(answer, type, outcome.id, action)
    return () => shown
  }

  /** @param pending The input of an entry that is locked, or of a new one. */
  async #steps(request: WriteRequest, pending: Pending, isLast: boolean): Promise<ReadAnswer> {
    const { type, action, id } = pending.event
    if (action !== 'delete' || id === undefined) {
      const [saved] = await this.#entries.save([pending])
      return this.#answerWritten(request, saved as number, isLast) // one input, one id
    }
    const answer = await this.#answer(request, id)
    await this.#entries.delete(type, id)
    return answer
  }

  async #checkPrecondition({ type, query, state, precondition }: WriteRequest, id?: number): Promise<void> {
    if (!precondition) return
    if (id === undefined) return precondition(undefined)
    await this.#writing.locks.lock(type, id)
    const action = type.kind === 'singleType' ? 'find' : 'findOne'
    const { data } = await this.read({ type, action, kind: 'one', id, query, state })
    precondition(data)
  }

  /** Writes many entries of a type, new ones with one statement per table and batch. @throws OctavoError */
  async bulk({
    type,
    create = [],
    update = [],
    delete: deletions = [],
  }: Omit<BulkRequest, 'state'>): Promise<BulkResult> {
    // All in one order, and before it has other locks. Missing entries are refused later.
    const changed = [...update.map(({ id }) => id), ...deletions]
    await this.#writing.locks.lockAll(type, changed, deletions.length > 0 ? 'delete' : 'update')
    const created: number[] = []
    for (let start = 0; start < create.length; start += chunkSize) {
      const chunk = create.slice(start, start + chunkSize)
      created.push(...(await this.#entries.createAll(type, chunk, (i) => ['create', start + i])))
    }
    if (created.length > 0) await this.#reach(type, 'create', created, () => problem('entry/forbidden'))
    const updated = update.map(({ id }) => id)
    if (updated.length > 0) await this.#reach(type, 'update', updated, () => problem('entry/not-found'))
    for (const [i, { id, ...input }] of update.entries())
      await this.#entries.updateAt(type, id, input, ['update', i])
    if (updated.length > 0) await this.#reach(type, 'update', updated, () => problem('entry/forbidden'))
    if (deletions.length > 0) await this.#reach(type, 'delete', deletions, () => problem('entry/not-found'))
    for (const id of deletions) await this.#entries.delete(type, id)
    return { created, updated, deleted: [...deletions] }
  }

  /** The id of the requested entry, if the caller may write it; else `undefined`. */
  async #idOf({ type, action, id, state, query }: WriteRequest): Promise<number | undefined> {
    // Locked before the check, so that the result still holds at the write.
    if (id !== undefined && !(await this.#writing.locks.lock(type, id, action))) return undefined
    if (id !== undefined && !this.#parts.reads.narrows({ type, action, state })) return id
    const target = id === undefined ? { query } : { query: 'fields=id', id }
    const { data } = await this.#parts.reads.readIn(this.#tx, {
      type,
      action,
      kind: 'one',
      state,
      ...target,
    })
    // `{"id":7,...}` is PostgreSQL's text.
    return data === undefined ? undefined : Number((JSON.parse(data) as { id: number }).id)
  }

  /** Reads the entry with the caller's query in this transaction. */
  async #answer({ type, action, query, state }: WriteRequest, id: number): Promise<ReadAnswer> {
    const answer = await this.#parts.reads.readIn(this.#tx, { type, action, kind: 'one', id, query, state })
    return answer.data === undefined ? answer : this.#readable(answer, type, id, action)
  }

  /** The answer, or the id alone of an entry that the caller may change, but not read. */
  async #readable(
    answer: ReadAnswer,
    type: ContentType,
    id: number,
    action: WriteEvent['action'],
  ): Promise<ReadAnswer> {
    if (await this.#writing.rights.mayRead(type, id, action)) return answer
    return { ...answer, data: JSON.stringify({ id, attributes: {}, meta: {} }) }
  }

  /**
   * Checks the caller's rights on the written entry, after the write. A write that moves the entry out of the caller's reach (e.g. to another owner) is rolled back.
   * @throws ForbiddenError
   */
  async #answerWritten(request: WriteRequest, id: number, isLast: boolean): Promise<ReadAnswer> {
    const { type, action, query, state } = request
    // Another write, of a plugin, may have deleted the entry.
    const mayCommit =
      isLast && this.#entries.written.length === 1 && this.#writing.rights.mayReadAll(type, action)
    const answer = mayCommit
      ? await this.#parts.reads.readLast(this.#tx, { type, action, kind: 'one', id, query, state })
      : await this.#answer(request, id)
    if (answer.data === undefined) throw problem('entry/forbidden')
    return answer
  }

  /** Rejects entries of a bulk write out of the caller's reach; runs no statement when nothing is narrowed. */
  async #reach(
    type: ContentType,
    action: WriteEvent['action'],
    ids: readonly number[],
    refuse: () => Error,
  ): Promise<void> {
    const request = { type, action, state: this.#writing.state } as const
    if (!this.#parts.reads.narrows(request)) return
    for (const id of ids) if ((await this.#idOf({ ...request, id, query: '' })) === undefined) throw refuse()
  }
}
