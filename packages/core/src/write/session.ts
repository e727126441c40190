import type { BatchedTransaction } from '@octavo/database'
import type { ContentType } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { WriteEvent } from '../plugin/hooks.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type {
  BulkRequest,
  BulkResult,
  ReadAnswer,
  ReadRequest,
  Repeatable,
  WriteRequest,
} from '../requests.ts'
import { refusingDirect } from './direct.ts'
import { EntryLocks } from './entry-locks.ts'
import { EntryWrites } from './entry-writes.ts'
import { WriteRights } from './rights.ts'
import { claim, keep } from './stored-answers.ts'
import type { WriteParts } from './write-parts.ts'

/** Where in its transaction a write is: as its last one it may commit, and `direct`, the database may be left to check it. */
type Place = 'inside' | 'last' | 'direct'

/** Batch size of a bulk write, which bounds its memory. */
const chunkSize = 1_000

/** The reads and writes that a caller requests in one transaction. */
export class WriteSession {
  readonly #parts: WriteParts
  readonly #tx: BatchedTransaction
  readonly #state: RequestState
  readonly #locks: EntryLocks
  readonly #rights: WriteRights
  readonly #entries: EntryWrites

  constructor(parts: WriteParts, tx: BatchedTransaction, state: RequestState) {
    this.#parts = parts
    this.#tx = tx
    this.#state = state
    this.#locks = new EntryLocks(tx)
    this.#rights = new WriteRights(parts, tx, state)
    this.#entries = new EntryWrites(parts, tx, state, this.#locks, this.#rights)
  }

  /** The writes so far, in order. */
  get written(): EntryWrites['written'] {
    return this.#entries.written
  }

  /** Reads in this transaction. @throws OctavoError */
  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#parts.reader.readIn(this.#tx, request)
  }

  /** Runs a write and returns the entry; `data` is `undefined` when there is no entry that the caller may write. */
  write(request: WriteRequest): Promise<ReadAnswer> {
    return this.#write(request, 'inside')
  }

  /**
   * The same for the last write of the transaction, which may commit it.
   * @param mayBeDirect Whether the database may be left to check it.
   * @throws DirectRefused then, when it refuses the write
   */
  writeLast(request: WriteRequest, mayBeDirect: boolean): Promise<ReadAnswer> {
    return this.#write(request, mayBeDirect ? 'direct' : 'last')
  }

  /**
   * Writes once for a key, and gives the first answer to every later write with it.
   * @throws OctavoError 422 `entry/key-reused`
   */
  async writeOnce(request: WriteRequest, repeatable: Repeatable): Promise<ReadAnswer> {
    const former = await claim(this.#tx, repeatable)
    if (former !== undefined) return { data: former, isRepeated: true }
    const answer = await this.write(request)
    if (answer.data !== undefined) await keep(this.#tx, repeatable, answer.data)
    return answer
  }

  async #write(request: WriteRequest, place: Place): Promise<ReadAnswer> {
    const { type, action, input = {} } = request
    const isLast = place !== 'inside'
    if (action === 'create') return this.#create(request, place)
    if (place === 'direct' && (await this.#isSentDirectly(request)))
      return refusingDirect(() => this.#answerWritten(request, request.id as number, true)) // checked there
    const id = await this.#idOf(request)
    await this.#checkPrecondition(request, id)
    if (id === undefined) {
      // The first update of a single type creates its entry.
      if (action === 'update' && type.kind === 'singleType') return this.#create(request, place)
      return { data: undefined }
    }
    if (action === 'update') {
      await this.#entries.update(type.uid, id, input)
      return this.#answerWritten(request, id, isLast)
    }
    const answer = await this.#answer(request, id)
    await this.#entries.delete(type.uid, id)
    return answer
  }

  /** Sends an update that needs nothing before it: no lock for a precondition, and no check of the caller's reach. */
  async #isSentDirectly({
    type,
    action,
    id,
    state,
    precondition,
    input = {},
  }: WriteRequest): Promise<boolean> {
    if (action !== 'update' || id === undefined || precondition) return false
    if (this.#parts.reader.narrows({ type, action, state })) return false
    return this.#entries.updateDirectly(type, id, input)
  }

  async #create(request: WriteRequest, place: Place): Promise<ReadAnswer> {
    const { type, action, query, state, input = {} } = request
    const { reader } = this.#parts
    // The id is that of a read by id, and replaced below.
    const read = { type, action, kind: 'one', id: 0, query, state } as const
    const isLast = place !== 'inside'
    if (!isLast || !this.#rights.mayReadAll(type, action) || !reader.mayReadLast(read))
      return this.#answerWritten(request, await this.#entries.create(type.uid, input), isLast)
    const made = await this.#entries.createLast(type, input, place === 'direct')
    if (made.id !== undefined) return this.#answerWritten(request, made.id, isLast)
    const inserted = (): Promise<ReadAnswer> => reader.readInserted(this.#tx, read)
    const answer = await (made.isDirect ? refusingDirect(inserted) : inserted())
    // A trigger that inserts further rows into the table gives its sequence another value.
    const isOther = !answer.data?.startsWith(`{"id":${made.id},`)
    return isOther ? reader.readIn(this.#tx, { ...read, id: Number(made.id) }) : answer
  }

  async #checkPrecondition({ type, query, state, precondition }: WriteRequest, id?: number): Promise<void> {
    if (!precondition) return
    if (id === undefined) return precondition(undefined)
    await this.#locks.lock(type, id)
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
    await this.#lockInOrder(type, update, deletions)
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
    for (const id of deletions) await this.#entries.delete(type.uid, id)
    return { created, updated, deleted: [...deletions] }
  }

  /** Locks the entries of a bulk write, all in one order and before it has other locks. Missing entries are refused later. */
  async #lockInOrder(
    type: ContentType,
    update: readonly { readonly id: number }[],
    deletions: readonly number[],
  ): Promise<void> {
    const ids = [...update.map(({ id }) => id), ...deletions]
    if (ids.length > 0) await this.#locks.lockAll(type, ids, deletions.length > 0 ? 'delete' : 'update')
  }

  /** The id of the requested entry, if the caller may write it; else `undefined`. */
  async #idOf({ type, action, id, state, query }: WriteRequest): Promise<number | undefined> {
    // Locked before the check, so that the result still holds at the write.
    if (id !== undefined && !(await this.#locks.lock(type, id, action))) return undefined
    if (id !== undefined && !this.#parts.reader.narrows({ type, action, state })) return id
    const target = id === undefined ? { query } : { query: 'fields=id', id }
    const { data } = await this.#parts.reader.readIn(this.#tx, {
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
    const answer = await this.#parts.reader.readIn(this.#tx, { type, action, kind: 'one', id, query, state })
    if (answer.data === undefined || (await this.#rights.mayRead(type, id, action))) return answer
    // The caller may change the entry, but not read it.
    return { ...answer, data: JSON.stringify({ id, attributes: {}, meta: {} }) }
  }

  /**
   * The same after a write. A write that moves the entry out of the caller's reach (e.g. to another owner) is rolled back.
   * @throws ForbiddenError
   */
  async #answerWritten(request: WriteRequest, id: number, isLast: boolean): Promise<ReadAnswer> {
    const { type, action, query, state } = request
    // Another write, of a plugin, may have deleted the entry.
    const mayCommit = isLast && this.#entries.written.length === 1 && this.#rights.mayReadAll(type, action)
    const answer = mayCommit
      ? await this.#parts.reader.readLast(this.#tx, { type, action, kind: 'one', id, query, state })
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
    const request = { type, action, state: this.#state } as const
    if (!this.#parts.reader.narrows(request)) return
    for (const id of ids) {
      // Locked before the check, so that the result still holds at the write.
      if (!(await this.#locks.lock(type, id))) throw refuse()
      const { data } = await this.read({ ...request, kind: 'one', id, query: 'fields=id' })
      if (data === undefined) throw refuse()
    }
  }
}
