import type { Bindable } from '../content-type/attribute-type.ts'
import type { ContentType, Model, Registry } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { Reaches } from '../execute/reach.ts'
import type { EntryReader } from '../execute/reader.ts'
import type { HookRunner } from '../plugin/hook-runner.ts'
import type { EntryWriter, Strictness, WriteEvent } from '../plugin/hooks.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { BulkRequest, BulkResult, ReadAnswer, ReadRequest, WriteRequest } from '../requests.ts'
import type { Rows } from '../rows/rows.ts'
import type { RowSource } from '../rows/source.ts'
import { join, param, type Sql, sql } from '../sql/sql.ts'
import type { NamedRow, Row, Store, Transaction } from '../store/store.ts'
import { checkRows } from './check.ts'
import { deleteEntries } from './delete-rows.ts'
import { hashSecrets } from './hash-secrets.ts'
import { inputOf } from './input-of.ts'
import { Mistakes } from './mistakes.ts'
import type { GivenRow } from './named.ts'
import { WriteRights } from './rights.ts'
import { saveRows } from './save-rows.ts'
import { withGeneratedUids } from './uid.ts'
import { type EntryInput, validate } from './validate.ts'
import type { BodyPath, RowWrite } from './write-plan.ts'

export interface WriteParts {
  readonly registry: Registry
  readonly store: Store
  readonly hooks: HookRunner
  readonly reader: EntryReader
  readonly reaches: Reaches
}

/** Batch size of a bulk write, which bounds its memory. */
const chunkSize = 1_000

/** An input during a write. */
interface Pending {
  readonly event: WriteEvent
  readonly strictness: Strictness
  /** The path in the body; empty for a body with one entry. */
  readonly at: BodyPath
  /** The attributes whose value is from the caller; none for an input of a plugin. */
  readonly given: ReadonlySet<string>
}

/** The rights that a plugin's write needs on other entries; see `EntryWriter.update`. */
type Rights = 'plugin' | 'caller'

/** Permitted rows, and the check to repeat after the write. */
interface Checked {
  readonly rows: readonly RowWrite[]
  readonly again: () => Promise<void>
}

/** The writes of one transaction, with their checks and hooks. */
export class WriteSession implements EntryWriter {
  readonly #parts: WriteParts
  readonly #tx: Transaction
  readonly #state: RequestState
  readonly #written: Omit<WriteEvent, 'entries'>[] = []
  /** Existing entries that are locked. */
  readonly #held = new Set<string>()
  /** Entries that plugins created in this transaction, as `uid id`. */
  readonly #made = new Set<string>()
  /** The writer for hooks: the same, except for the origin of the input. */
  readonly #further: EntryWriter = {
    create: async (uid, input) => {
      const type = this.#parts.registry.contentType(uid)
      const [id] = await this.#createAll(type, [input], () => [], 'plugin')
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

  constructor(parts: WriteParts, tx: Transaction, state: RequestState) {
    this.#parts = parts
    this.#tx = tx
    this.#state = state
    this.#rights = new WriteRights(parts, tx, state)
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

  /** Reads in this transaction. @throws OctavoError */
  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#parts.reader.readIn(this.#tx, request)
  }

  /** Runs a write and returns the entry; `data` is `undefined` when there is no entry that the caller may write. */
  async write(request: WriteRequest): Promise<ReadAnswer> {
    const { type, action, input = {} } = request
    if (action === 'create') return this.#answerWritten(request, await this.create(type.uid, input))
    const id = await this.#idOf(request)
    if (id === undefined) {
      // The first update of a single type creates its entry.
      if (action === 'update' && type.kind === 'singleType')
        return this.#answerWritten(request, await this.create(type.uid, input))
      return { data: undefined }
    }
    if (action === 'update') {
      await this.update(type.uid, id, input)
      return this.#answerWritten(request, id)
    }
    const answer = await this.#answer(request, id)
    await this.delete(type.uid, id)
    return answer
  }

  /** Writes many entries of a type, new ones with one statement per table and batch. @throws OctavoError */
  async bulk({
    type,
    create = [],
    update = [],
    delete: gone = [],
  }: Omit<BulkRequest, 'state'>): Promise<BulkResult> {
    const created: number[] = []
    for (let start = 0; start < create.length; start += chunkSize) {
      const chunk = create.slice(start, start + chunkSize)
      created.push(...(await this.#createAll(type, chunk, (i) => ['create', start + i])))
    }
    if (created.length > 0) await this.#reach(type, 'create', created, () => problem('entry/forbidden'))
    const updated = update.map(({ id }) => id)
    if (updated.length > 0) await this.#reach(type, 'update', updated, () => problem('entry/not-found'))
    for (const [i, { id, ...input }] of update.entries()) await this.#update(type, id, input, ['update', i])
    if (updated.length > 0) await this.#reach(type, 'update', updated, () => problem('entry/forbidden'))
    if (gone.length > 0) await this.#reach(type, 'delete', gone, () => problem('entry/not-found'))
    for (const id of gone) await this.delete(type.uid, id)
    return { created, updated, deleted: [...gone] }
  }

  async create(uid: string, input: EntryInput): Promise<number> {
    const [id] = await this.#createAll(this.#parts.registry.contentType(uid), [input], () => [])
    return id as number // one input, one id
  }

  /** @throws NotFoundError when the entry does not exist. */
  update(uid: string, id: number, input: EntryInput): Promise<void> {
    return this.#update(this.#parts.registry.contentType(uid), id, input, [])
  }

  /** @throws NotFoundError when the entry does not exist. */
  delete(uid: string, id: number): Promise<void> {
    return this.#delete(uid, id, 'caller')
  }

  async #delete(uid: string, id: number, by: WriteEvent['by']): Promise<void> {
    const { registry, hooks } = this.#parts
    const type = registry.contentType(uid)
    await this.#lock(type, id, 'delete')
    const event = this.#event('delete', type, id, {}, by)
    await hooks.guard('entry:beforeDelete', event)
    await deleteEntries(type, [id], registry, this.#tx)
    this.#held.delete(`${type.uid} ${id}`)
    await hooks.guard('entry:afterDelete', this.#done(event))
  }

  async stored(uid: string, id: number): Promise<Readonly<Record<string, string | null>> | undefined> {
    const type = this.#parts.registry.contentType(uid)
    const columns = [type.id, ...type.attributes.values()].filter((attribute) => attribute.kind === 'scalar')
    const texts = columns.map(({ name, column }) => sql`${sql.id(column)}::text as ${sql.id(name)}`)
    const [row] = await this.run(
      sql`select ${join(texts, ', ')} from ${sql.id(type.table)} where "id" = ${param(id, 'int8')}`,
    )
    return row
  }

  async #createAll(
    type: ContentType,
    inputs: readonly EntryInput[],
    at: (i: number) => BodyPath,
    by: WriteEvent['by'] = 'caller',
  ): Promise<readonly number[]> {
    const { registry, hooks } = this.#parts
    const pending: Pending[] = []
    for (const [i, given] of inputs.entries())
      pending.push(await this.#prepare('create', type, undefined, given, at(i), by))
    const { rows, again } = await this.#checked(pending, by)
    for (const { event } of pending) await hooks.guard('entry:beforeCreate', event)
    const ids = await saveRows(rows, registry, this.#tx)
    if (by === 'plugin') for (const id of ids) this.#made.add(`${type.uid} ${id}`)
    await again()
    for (const [i, { event }] of pending.entries())
      await hooks.guard('entry:afterCreate', this.#done({ ...event, id: ids[i] }))
    return ids
  }

  async #update(
    type: ContentType,
    id: number,
    given: EntryInput,
    at: BodyPath,
    by: WriteEvent['by'] = 'caller',
    rights: Rights = by,
  ): Promise<void> {
    const { registry, hooks } = this.#parts
    await this.#lock(type, id, 'update')
    const pending = await this.#prepare('update', type, id, given, at, by)
    const { rows, again } = await this.#checked([pending], rights)
    await hooks.guard('entry:beforeUpdate', pending.event)
    await saveRows(rows, registry, this.#tx)
    await again()
    await hooks.guard('entry:afterUpdate', this.#done(pending.event))
  }

  /** An update by a plugin; with `rights` of the caller, their rights are checked before and after. */
  async #updateFurther(type: ContentType, id: number, input: EntryInput, rights: Rights): Promise<void> {
    await this.#lock(type, id, 'update')
    const names = rights === 'caller' ? Object.keys(input) : []
    await this.#rights.changeable(type, [id], names)
    await this.#update(type, id, input, [], 'plugin', rights)
    await this.#rights.changeable(type, [id], names)
  }

  requireChangeable(uid: string, ids: readonly number[], names: readonly string[]): Promise<void> {
    return this.#rights.changeable(this.#parts.registry.contentType(uid), ids, names)
  }

  async #prepare(
    action: 'create' | 'update',
    type: ContentType,
    id: number | undefined,
    given: EntryInput,
    at: BodyPath,
    by: WriteEvent['by'],
  ): Promise<Pending> {
    const { hooks } = this.#parts
    const asked = this.#event(action, type, id, given, by)
    const theirs = new Set(by === 'caller' ? Object.keys(given) : [])
    let transformed = given
    for await (const step of hooks.transformSteps('entry:input', given, asked)) {
      // A value that a plugin removed is not from the caller, even if another plugin sets it.
      for (const name of theirs) if (!Object.hasOwn(step, name)) theirs.delete(name)
      transformed = step
    }
    const input = action === 'create' ? await withGeneratedUids(type, transformed, this.#tx) : transformed
    const event = this.#event(action, type, id, input, by)
    const strictness =
      (await hooks.decide('entry:strictness', event)) ?? (action === 'create' ? 'complete' : 'partial')
    return { event, strictness, at, given: theirs }
  }

  async #checked(pending: readonly Pending[], rights: Rights): Promise<Checked> {
    const { registry } = this.#parts
    const mistakes = new Mistakes()
    const read: GivenRow[] = []
    for (const { event, strictness, at, given } of pending) {
      const row = validate(event.type, event.id, event.input, at, {
        registry,
        lenient: strictness === 'lenient',
        mistakes,
      })
      if (event.id !== undefined && strictness === 'complete') await this.#addMissing(row, event.id, mistakes)
      read.push({ row, given })
    }
    const named = await this.#rights.named(read, (uid, id) => this.#made.has(`${uid} ${id}`))
    await checkRows(named, registry, this.#tx, mistakes)
    mistakes.throwIfAny()
    const { rows, again } =
      rights === 'caller' ? await this.#rights.changed(named) : { rows: named, again: async () => {} }
    return { rows: await Promise.all(rows.map(hashSecrets)), again }
  }

  /** Adds mistakes for required values that neither the update nor the stored entry has. */
  async #addMissing(row: RowWrite, id: number, mistakes: Mistakes): Promise<void> {
    const required = [...row.model.attributes.values()].filter(
      (attribute) =>
        attribute.kind === 'scalar' && attribute.definition.required === true && !row.values.has(attribute),
    )
    if (required.length === 0) return
    const stored = await this.stored(row.model.uid, id)
    for (const { name } of required)
      if (stored?.[name] == null) mistakes.add([...row.at, name], '{at} must be defined.')
  }

  inputOf(uid: string, id: number, names: readonly string[]): Promise<EntryInput> {
    const { registry } = this.#parts
    return inputOf(registry.contentType(uid), id, names, registry, this.#tx)
  }

  /** The id of the requested entry, if the caller may write it; else `undefined`. */
  async #idOf({ type, action, id, state, query }: WriteRequest): Promise<number | undefined> {
    // Locked before the check, so that the result still holds at the write.
    if (id !== undefined && !(await this.#locked(type, id, action))) return undefined
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
  async #answerWritten(request: WriteRequest, id: number): Promise<ReadAnswer> {
    const answer = await this.#answer(request, id)
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
      if (!(await this.#locked(type, id))) throw refuse()
      const { data } = await this.read({ ...request, kind: 'one', id, query: 'fields=id' })
      if (data === undefined) throw refuse()
    }
  }

  async #lock(type: ContentType, id: number, action: WriteEvent['action']): Promise<void> {
    if (!(await this.#locked(type, id, action))) throw problem('entry/not-found')
  }

  /**
   * An update does not change the id, so the weaker lock suffices and concurrent writes can still refer to the entry.
   * A delete needs the stronger lock.
   */
  async #locked(type: ContentType, id: number, action: WriteEvent['action'] = 'update'): Promise<boolean> {
    const held = `${type.uid} ${id}`
    if (action !== 'delete' && this.#held.has(held)) return true
    const strength = action === 'delete' ? sql`for update` : sql`for no key update`
    const rows = await this.#tx.run(
      sql`select 1 from ${sql.id(type.table)} where "id" = ${param(id, 'int8')} ${strength}`,
    )
    if (rows.length > 0) this.#held.add(held)
    return rows.length > 0
  }

  #event(
    action: WriteEvent['action'],
    type: ContentType,
    id: number | undefined,
    input: EntryInput,
    by: WriteEvent['by'],
  ): WriteEvent {
    return { action, type, id, input, by, state: this.#state, entries: this.#further }
  }

  #done(event: WriteEvent): WriteEvent {
    const { entries: _, ...told } = event
    this.#written.push(told)
    return event
  }
}
