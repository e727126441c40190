import type { BatchedTransaction, NamedRow, Row, RowSource, Rows, Sql } from '@octavo/database'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { EntryInput } from '../content-type/entry-input.ts'
import type { ContentType, Model } from '../content-type/model.ts'
import type { EntryWriter, WriteEvent } from '../plugin/hooks.ts'
import type { RequestState } from '../plugin/request-state.ts'
import { deleteEntries } from './delete-rows.ts'
import { hasUniqueValues, mayUpdateDirectly, sendCreate, sendUpdate } from './direct.ts'
import { type CheckedRows, EntryInputs, type Pending, type Rights } from './entry-inputs.ts'
import type { EntryLocks } from './entry-locks.ts'
import { inputOf } from './input-of.ts'
import { keysOf } from './relations.ts'
import type { WriteRights } from './rights.ts'
import { saveRows, sendRow } from './save-rows.ts'
import { storedTexts } from './stored-texts.ts'
import { updateInstead } from './update-instead.ts'
import type { WriteParts } from './write-parts.ts'
import type { BodyPath } from './write-plan.ts'

interface NewEntries extends CheckedRows {
  readonly pending: readonly Pending[]
}

/** The id is complete after the next statement. */
interface MadeLast {
  readonly id: number | undefined
  /** Whether the database is left to check the entry. */
  readonly isDirect: boolean
}

/** The hooks that run before the values of an input are checked. */
const inputHooks = ['entry:input', 'entry:strictness'] as const

/** Writes entries in one transaction, with all checks and hooks. */
export class EntryWrites implements EntryWriter {
  readonly #parts: WriteParts
  readonly #tx: BatchedTransaction
  readonly #state: RequestState
  readonly #written: Omit<WriteEvent, 'entries'>[] = []
  readonly #locks: EntryLocks
  /** Entries that plugins created in this transaction, as `uid id`. */
  readonly #created = new Set<string>()
  /** The writer for hooks: the same, except for the origin of the input. */
  readonly #further: EntryWriter = {
    create: async (uid, input) => {
      const type = this.#parts.registry.contentType(uid)
      const [id] = await this.createAll(type, [input], () => [], 'plugin')
      return id as number // one input, one id
    },
    update: (uid, id, input, rights = 'plugin') =>
      this.#updateFurther(this.#parts.registry.contentType(uid), id, input, rights),
    delete: (uid, id) => this.#delete(uid, id, 'plugin'),
    stored: (uid, id) => this.stored(uid, id),
    inputOf: (uid, id, names) => this.inputOf(uid, id, names),
    requireChangeable: (uid, ids, names) => this.requireChangeable(uid, ids, names),
    query: (text, values) => this.query(text, values),
    run: (statement) => this.run(statement),
    rows: (source) => this.rows(source),
    lock: (name) => this.lock(name),
  }
  readonly #rights: WriteRights
  readonly #inputs: EntryInputs

  constructor(
    parts: WriteParts,
    tx: BatchedTransaction,
    state: RequestState,
    locks: EntryLocks,
    rights: WriteRights,
  ) {
    this.#parts = parts
    this.#tx = tx
    this.#state = state
    this.#locks = locks
    this.#rights = rights
    this.#inputs = new EntryInputs(parts, tx, rights, (uid, id) => this.#created.has(`${uid} ${id}`))
  }

  /** The writes so far, in order. */
  get written(): readonly Omit<WriteEvent, 'entries'>[] {
    return this.#written
  }

  query(text: string, values?: readonly Bindable[]): Promise<readonly Row[]> {
    return this.#tx.query(text, values)
  }

  run(statement: Sql): Promise<readonly NamedRow[]> {
    return this.#tx.run(statement)
  }

  rows<R = Readonly<Record<string, unknown>>>(source: Model | RowSource<R>): Rows<R> {
    return this.#tx.rows(source)
  }

  lock(name: string): Promise<void> {
    return this.#tx.lock(name)
  }

  async create(uid: string, input: EntryInput): Promise<number> {
    const [id] = await this.createAll(this.#parts.registry.contentType(uid), [input], () => [])
    return id as number // one input, one id
  }

  /** @throws NotFoundError when the entry does not exist. */
  update(uid: string, id: number, input: EntryInput): Promise<void> {
    return this.updateAt(this.#parts.registry.contentType(uid), id, input, [])
  }

  /** @throws NotFoundError when the entry does not exist. */
  delete(uid: string, id: number): Promise<void> {
    return this.#delete(uid, id, 'caller')
  }

  async #delete(uid: string, id: number, by: WriteEvent['by']): Promise<void> {
    const { registry, hooks } = this.#parts
    const type = registry.contentType(uid)
    await this.#locks.require(type, id, 'delete')
    const event = this.#event('delete', type, id, {}, by)
    await hooks.guard('entry:beforeDelete', event)
    const remains =
      hooks.has('entry:delete', event) && (await updateInstead(event, id, this.#parts, this.#tx))
    if (!remains) await deleteEntries(type, [id], registry, this.#tx)
    this.#locks.forget(type, id)
    await hooks.guard('entry:afterDelete', this.#done({ ...event, remains }))
  }

  stored(uid: string, id: number): Promise<Readonly<Record<string, string | null>> | undefined> {
    return storedTexts(this.#parts.registry.contentType(uid), id, this.#tx)
  }

  async createAll(
    type: ContentType,
    inputs: readonly EntryInput[],
    at: (i: number) => BodyPath,
    by: WriteEvent['by'] = 'caller',
  ): Promise<readonly number[]> {
    return this.#saved(await this.#checked(type, inputs, at, by))
  }

  /**
   * Creates an entry as the last write of the transaction. Where nothing needs its id before, its row is inserted with the next
   * statement, and the result has the id after that statement.
   * @param mayBeDirect Whether the database may be left to check it; see `direct.ts`.
   */
  async createLast(type: ContentType, input: EntryInput, mayBeDirect: boolean): Promise<MadeLast> {
    const { hooks, registry } = this.#parts
    const created = await this.#checked(type, [input], () => [], 'caller', mayBeDirect)
    const { areDirect, again } = created
    const made = { id: undefined as number | undefined, isDirect: areDirect }
    const [row] = created.rows
    const [first] = created.pending
    const onId = (id: number): void => {
      made.id = id
      if (first) this.#done({ ...first.event, id })
    }
    const needsId = again !== undefined || (first && hooks.has('entry:afterCreate', first.event))
    if (row !== undefined && hasUniqueValues(row)) this.#tx.stayAlone()
    // The key check of a named row waits while another transaction deletes it.
    if (row !== undefined && row.relations.length > 0)
      this.#tx.shareAmong(
        keysOf(row)
          .map(({ id }) => id)
          .join(),
      )
    if (row !== undefined && !needsId && sendRow(row, this.#tx, onId)) return made
    if (row !== undefined && areDirect) await sendCreate(row, registry, this.#tx, onId)
    else [made.id] = await this.#saved(created)
    return made
  }

  /**
   * Sends an update with the next statement, where the database is left to check it; see `direct.ts`.
   * @returns Whether it does; nothing is done otherwise.
   */
  async updateDirectly(type: ContentType, id: number, input: EntryInput): Promise<boolean> {
    const { registry, hooks } = this.#parts
    const event = this.#event('update', type, id, input, 'caller')
    // A handler that uses the database may need the lock of the entry.
    if (inputHooks.some((name) => hooks.usesDatabase(name, event))) return false
    const pending = await this.#inputs.prepare(event, [])
    if (!mayUpdateDirectly(type, Object.keys(pending.event.input))) return false
    if (hooks.has('entry:beforeUpdate', pending.event) || hooks.has('entry:afterUpdate', pending.event))
      return false
    const row = this.#inputs.direct(pending)
    if (!row) return false
    await sendUpdate(row, id, registry, this.#tx)
    this.#done(pending.event)
    return true
  }

  /** New entries after the hooks before their insert. */
  async #checked(
    type: ContentType,
    inputs: readonly EntryInput[],
    at: (i: number) => BodyPath,
    by: WriteEvent['by'],
    mayBeDirect = false,
  ): Promise<NewEntries> {
    const { hooks } = this.#parts
    const pending: Pending[] = []
    for (const [i, given] of inputs.entries())
      pending.push(await this.#inputs.prepare(this.#event('create', type, undefined, given, by), at(i)))
    const isHooked = pending.some(
      ({ event }) => hooks.has('entry:beforeCreate', event) || hooks.has('entry:afterCreate', event),
    )
    const checked = await this.#inputs.check(pending, by, mayBeDirect && !isHooked)
    for (const { event } of pending) await hooks.guard('entry:beforeCreate', event)
    return { ...checked, pending }
  }

  async #saved({ pending, rows, again, newIds }: NewEntries): Promise<readonly number[]> {
    const { registry, hooks } = this.#parts
    const ids = await saveRows(rows, newIds, registry, this.#tx)
    for (const [i, { event }] of pending.entries())
      if (event.by === 'plugin') this.#created.add(`${event.type.uid} ${ids[i]}`)
    await again?.()
    if (pending.some(({ event }) => hooks.has('entry:afterCreate', event))) await this.#tx.flush()
    for (const [i, { event }] of pending.entries())
      await hooks.guard('entry:afterCreate', this.#done({ ...event, id: ids[i] }))
    return ids
  }

  async updateAt(
    type: ContentType,
    id: number,
    given: EntryInput,
    at: BodyPath,
    by: WriteEvent['by'] = 'caller',
    rights: Rights = by,
  ): Promise<void> {
    const { registry, hooks } = this.#parts
    await this.#locks.require(type, id, 'update')
    const pending = await this.#inputs.prepare(this.#event('update', type, id, given, by), at)
    const { rows, again, newIds } = await this.#inputs.check([pending], rights)
    await hooks.guard('entry:beforeUpdate', pending.event)
    await saveRows(rows, newIds, registry, this.#tx)
    await again?.()
    if (hooks.has('entry:afterUpdate', pending.event)) await this.#tx.flush()
    await hooks.guard('entry:afterUpdate', this.#done(pending.event))
  }

  /** An update by a plugin; with `rights` of the caller, their rights are checked before and after. */
  async #updateFurther(type: ContentType, id: number, input: EntryInput, rights: Rights): Promise<void> {
    await this.#locks.require(type, id, 'update')
    const names = rights === 'caller' ? Object.keys(input) : []
    await this.#rights.changeable(type, [id], names)
    await this.updateAt(type, id, input, [], 'plugin', rights)
    await this.#rights.changeable(type, [id], names)
  }

  requireChangeable(uid: string, ids: readonly number[], names: readonly string[]): Promise<void> {
    return this.#rights.changeable(this.#parts.registry.contentType(uid), ids, names)
  }

  inputOf(uid: string, id: number, names: readonly string[]): Promise<EntryInput> {
    const { registry } = this.#parts
    return inputOf(registry.contentType(uid), id, names, registry, this.#tx)
  }

  #event(
    action: WriteEvent['action'],
    type: ContentType,
    id: number | undefined,
    input: EntryInput,
    by: WriteEvent['by'],
  ): WriteEvent {
    return { action, type, id, input, by, remains: false, state: this.#state, entries: this.#further }
  }

  #done(event: WriteEvent): WriteEvent {
    const { entries: _, ...rest } = event
    this.#written.push(rest)
    return event
  }
}
