import type { BatchedTransaction } from '@octavo/database'
import type { WriteAction } from '../../content-type/content-actions.ts'
import type { ContentType } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import { type Following, needsSteps } from '../../execute/written-reads.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import type { WriteEvent } from '../../plugin/write-event.ts'
import { once } from '../../repeat/stored-answers.ts'
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
import { Uids } from '../check/uid.ts'
import { deletionOf } from '../compile/delete-rows.ts'
import { idsOfMessage } from '../compile/ids.ts'
import { pluginStatements } from '../compile/plugin-statements.ts'
import type { Pending } from '../input/pending.ts'
import { hooksBetween, isFoundFirst, type MessagePlan, mayHaveWritten, messageOf } from '../strategy.ts'
import { writeAll } from './bulk.ts'
import { prepareInput } from './entry-inputs.ts'
import { EntryWrites } from './entry-writes.ts'
import { findEntry } from './find-entry.ts'
import { hookWriter } from './hook-writer.ts'
import { sendMessage } from './message.ts'
import type { WriteParts, Writing } from './write-parts.ts'

/** The reads and writes that a caller requests in one transaction. */
export class WriteSession {
  readonly #writing: Writing
  readonly #entries: EntryWrites
  readonly uids: Uids
  /** The writes so far, in order. */
  readonly written: EntryWrites['written']

  constructor(parts: WriteParts, tx: BatchedTransaction, state: RequestState) {
    const rights = new WriteRights(parts, tx, state)
    this.uids = new Uids(tx)
    this.#writing = { parts, tx, state, rights, uids: this.uids }
    this.#entries = new EntryWrites(this.#writing, hookWriter)
    this.written = this.#entries.written
  }

  /** Reads in this transaction. @throws OctavoError */
  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#writing.parts.reads.readIn(this.#writing.tx, request)
  }

  /** See {@link BatchedTransaction.liftTimeLimits}. */
  liftTimeLimits(): Promise<void> {
    return this.#writing.tx.liftTimeLimits()
  }

  /** Runs a write and returns the entry; `data` is `undefined` when there is no entry that the caller may write. @throws OctavoError */
  async write(request: WriteRequest): Promise<ReadAnswer> {
    return ((await this.writeAs(request)) as () => ReadAnswer)() // no message was tried
  }

  /**
   * Runs a write. A write with a key runs once, and every later write with the key gets the first answer.
   * @param isLast Whether it is the last of the transaction, which it may commit. Default false.
   * @param mayTry See `messageOf`. Default false.
   * @returns a function that gives the answer, or throws the error of a write that wrote nothing; `undefined` if a tried message could not be one.
   * @throws `needsSteps` for a message that was tried, and wrote something; OctavoError
   */
  async writeAs(
    { repeatable, ...request }: WriteRequest,
    isLast = false,
    mayTry = false,
  ): Promise<(() => ReadAnswer) | undefined> {
    if (repeatable) {
      const work = async (): Promise<string | undefined> => (await this.write(request)).data
      const { answer: data, isRepeated } = await once(this.#writing.tx, repeatable, work)
      return () => (isRepeated ? { data, isRepeated } : { data })
    }
    const { type, input = {} } = request
    const { parts, rights, tx } = this.#writing
    let { action, id } = request
    const event = (): WriteEvent => this.#entries.event(action, type, id, input)
    const find = async (): Promise<boolean> => {
      id = await findEntry(request, this.#writing)
      return id !== undefined
    }
    const isFound = action !== 'create' && isFoundFirst(request, event(), parts)
    if (isFound && !(await find())) {
      if (action !== 'update' || type.kind !== 'singleType') return () => ({ data: undefined })
      // The first update of a single type creates its entry. A simultaneous update waits, and then updates this entry, or finds it out of its reach.
      await tx.lock(type.uid)
      if (!(await find()) && (await parts.reads.hasSingle(request, tx))) return () => ({ data: undefined })
      if (id === undefined) action = 'create'
    }
    const pending = await prepareInput(event(), [], this.#writing)
    const message = await messageOf(pending, parts, rights, mayTry && !isFound)
    // A message that is refused ends its transaction, and would keep what a hook of the input has written.
    const ends = isLast && !message?.runsHooks && !mayHaveWritten(event(), parts.hooks)
    if (message)
      return this.#message(message, pending.event, { ...request, action }, { isLast, ends, mayTry })
    if (action !== 'create' && !isFound && !(await find())) return () => ({ data: undefined })
    const answer = await this.#steps({ ...request, action }, pending, isLast)
    return () => answer
  }

  /** Runs `work` once for a key, and gives its text to every later call with the key. @throws OctavoError 422 `entry/key-reused` */
  once(repeatable: Repeatable, work: () => Promise<string>): Promise<OnceResult> {
    return once(this.#writing.tx, repeatable, work)
  }

  /** Writes many entries of a type. @throws OctavoError */
  bulk(request: Omit<BulkRequest, 'state'>): Promise<BulkResult> {
    return writeAll(request, this.#entries, this.#writing)
  }

  async #message(
    message: MessagePlan,
    event: WriteEvent,
    request: WriteRequest,
    { isLast, ends, mayTry }: { readonly isLast: boolean; readonly ends: boolean; readonly mayTry: boolean },
  ): Promise<(() => ReadAnswer) | undefined> {
    const { outcome, answerOf, unsent } = await this.#send(message, event, request, ends, mayTry)
    if (outcome.kind === 'missing') {
      // A hook of the input has deleted the entry. The error undoes everything that the hook has written.
      if (this.#entries.hasDeleted(event)) throw problem('entry/not-found')
      return () => ({ data: undefined })
    }
    if (outcome.kind === 'refused') {
      const { error } = outcome
      if (error === needsSteps) return undefined
      if (!ends || this.uids.areTaken(error)) throw error
      return () => {
        throw error
      }
    }
    const { id } = outcome
    if (message.runsHooks) {
      await this.#entries.finish([{ ...event, id }])
      const answer = await this.#answerOf(request, id, isLast)
      return () => answer
    }
    const answer = await answerOf(outcome.answer)
    // The write moved the entry out of the caller's reach.
    if (answer.data === undefined) throw problem('entry/forbidden')
    // Before the deletion, after which no row would tell.
    const shown = await this.#readable(answer, { ...request, id })
    for (const { statement, receive } of unsent) this.#writing.tx.send(statement, receive)
    this.#entries.done({ ...event, id })
    return () => shown
  }

  /** Sends a message, with the read of its answer and the statements behind that, where nothing has to be decided between them. */
  async #send(
    message: MessagePlan,
    event: WriteEvent,
    request: WriteRequest,
    ends: boolean,
    mayTry: boolean,
  ) {
    const { tx, rights, parts } = this.#writing
    const { reads, registry } = parts
    const { type, action, query, state } = request
    const { runsHooks, plan } = message
    const ids = idsOfMessage([plan.row])
    const id = ids.of(plan.row)
    const statements = pluginStatements(event, id, parts, runsHooks ? hooksBetween[action].after : undefined)
    const after = statements.filter(({ when }) => when === 'after')
    const following: readonly Following[] =
      plan.kind === 'delete' ? [{ statement: deletionOf(type, id, registry) }, ...after] : []
    const read = reads.written(tx, { type, action, kind: 'one', id: 0, query, state })
    const mayReadAll = !runsHooks && rights.mayReadAll(type, action)
    // Statements of plugins may change the entry before it is read.
    const ofRow = mayReadAll && statements.length === 0 ? read.ofRow : undefined
    const outcomeOf = sendMessage(message, { ids, statements, answer: ofRow }, registry, tx)
    if (ofRow || runsHooks) {
      for (const { statement, receive } of following) tx.send(statement, receive)
      await reads.run(tx, ends)
      return { outcome: outcomeOf(), answerOf: read.answered, unsent: [] }
    }
    const isLast = ends && mayReadAll && read.mayBeLast(mayTry)
    const answer = isLast ? await read.readLast(following) : await read.read()
    return { outcome: outcomeOf(), answerOf: () => answer, unsent: isLast ? [] : following }
  }

  /** @param pending The input of an entry that is locked, or of a new one. */
  async #steps(request: WriteRequest, pending: Pending, isLast: boolean): Promise<ReadAnswer> {
    const { type, action, id } = pending.event
    if (action === 'delete' && id !== undefined) {
      const answer = await this.#answer(request, id, false)
      await this.#entries.delete(type, id)
      return answer
    }
    const [saved] = await this.#entries.save([pending])
    return this.#answerOf(request, saved as number, isLast) // one input, one id
  }

  /** The answer of a created or updated entry, after the hooks. */
  async #answerOf(request: WriteRequest, id: number, isLast: boolean): Promise<ReadAnswer> {
    if (this.#entries.hasDeleted({ type: request.type, id })) throw problem('entry/not-found')
    const answer = await this.#answer(request, id, isLast)
    // The write moved the entry out of the caller's reach, e.g. to another owner: it is rolled back.
    if (answer.data === undefined) throw problem('entry/forbidden')
    return answer
  }

  /**
   * The answer of an entry: as the caller's query reads it, or the id alone where the caller may change the entry, but not read it.
   * `undefined` data: it is out of the caller's reach.
   */
  async #answer(
    { type, action, query, state }: WriteRequest,
    id: number,
    isLast: boolean,
  ): Promise<ReadAnswer> {
    const { reads } = this.#writing.parts
    const request = { type, action, kind: 'one', id, query, state } as const
    if (isLast && this.#writing.rights.mayReadAll(type, action))
      return reads.readLast(this.#writing.tx, request)
    return this.#readable(await reads.readIn(this.#writing.tx, request), request)
  }

  async #readable(
    answer: ReadAnswer,
    { type, id, action }: { readonly type: ContentType; readonly id: number; readonly action: WriteAction },
  ): Promise<ReadAnswer> {
    const { data } = answer
    if (data === undefined || (await this.#writing.rights.mayRead(type, id, action))) return answer
    return { ...answer, data: JSON.stringify({ id, attributes: {}, meta: {} }) }
  }
}
