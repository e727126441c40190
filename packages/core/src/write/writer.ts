import type { Bindable } from '../content-type/attribute-type.ts'
import type { ContentType, Model, Registry, ScalarAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { Reader } from '../execute/reader.ts'
import type { ReadAnswer, ReadRequest, WriteRequest } from '../octavo.ts'
import type { HookRunner } from '../plugin/hook-runner.ts'
import type { EntryWriter, RequestState, Strictness, WriteEvent } from '../plugin/hooks.ts'
import type { Store, Transaction } from '../store/store.ts'
import { checkRows } from './check.ts'
import { deleteEntries } from './delete-rows.ts'
import { Mistakes } from './mistakes.ts'
import { quoted } from './recordset.ts'
import { refusedByDatabase } from './refused.ts'
import { retried } from './retry.ts'
import { saveRows } from './save-rows.ts'
import { sealed } from './seal.ts'
import { type EntryInput, validate } from './validate.ts'
import type { RowWrite } from './write-plan.ts'

interface Parts {
  readonly registry: Registry
  readonly store: Store
  readonly hooks: HookRunner
  readonly reader: Reader
}

/** Writes entries: input, checks, rows, hooks and answer, all in one transaction. */
export class Writer {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @throws OctavoError; nothing is written then. */
  async write(request: WriteRequest): Promise<ReadAnswer> {
    const { reader } = this.#parts
    // A query that cannot be answered is refused before anything is written.
    reader.check({ ...request, kind: 'one', id: request.id ?? 0 })
    return this.transaction(request.state, (session) => session.write(request))
  }

  /**
   * Runs writes in one transaction, tried again when the database gives it up, and tells of them after the commit.
   * @throws OctavoError; nothing is written then.
   */
  async transaction<T>(state: RequestState, work: (session: WriteSession) => Promise<T>): Promise<T> {
    const { store, registry, hooks } = this.#parts
    try {
      const { result, written } = await retried(() =>
        store.transaction(async (tx) => {
          const session = new WriteSession(this.#parts, tx, state)
          return { result: await work(session), written: session.written }
        }),
      )
      for (const event of written) await hooks.notify('entry:committed', event)
      return result
    } catch (error) {
      throw refusedByDatabase(error, registry)
    }
  }
}

/** The writes of one transaction. */
export class WriteSession implements EntryWriter {
  readonly #parts: Parts
  readonly #tx: Transaction
  readonly #state: RequestState
  readonly #written: Omit<WriteEvent, 'entries'>[] = []

  constructor(parts: Parts, tx: Transaction, state: RequestState) {
    this.#parts = parts
    this.#tx = tx
    this.#state = state
  }

  /** What was written so far, in order. */
  get written(): readonly Omit<WriteEvent, 'entries'>[] {
    return this.#written
  }

  query(text: string, values?: readonly Bindable[]): Promise<readonly (readonly unknown[])[]> {
    return this.#tx.query(text, values)
  }

  /** Answers what this transaction sees. @throws OctavoError */
  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#parts.reader.readIn(this.#tx, request)
  }

  /** Writes what a request asks and answers with the entry; `data` is `undefined` when there is none that the caller may write. */
  async write(request: WriteRequest): Promise<ReadAnswer> {
    const { type, action, input = {} } = request
    if (action === 'create') return this.#answer(request, await this.create(type.uid, input))
    const id = await this.#idOf(request)
    if (id === undefined) {
      // A single type that does not exist yet is made by its first update.
      if (action === 'update' && type.kind === 'singleType')
        return this.#answer(request, await this.create(type.uid, input))
      return { data: undefined }
    }
    if (action === 'update') {
      await this.update(type.uid, id, input)
      return this.#answer(request, id)
    }
    const answer = await this.#answer(request, id)
    await this.delete(type.uid, id)
    return answer
  }

  async create(uid: string, given: EntryInput): Promise<number> {
    const { registry, hooks } = this.#parts
    const type = registry.contentType(uid)
    const input = await hooks.transformAsync(
      'entry:input',
      given,
      this.#event('create', type, undefined, given),
    )
    const event = this.#event('create', type, undefined, input)
    const strictness = (await hooks.decide('entry:strictness', event)) ?? 'complete'
    const row = await this.#checked(type, undefined, input, strictness)
    await hooks.guard('entry:beforeCreate', event)
    const [id] = await saveRows([row], registry, this.#tx)
    await hooks.guard('entry:afterCreate', this.#done({ ...event, id }))
    return id as number // one row was saved
  }

  /** @throws NotFoundError when there is no such entry. */
  async update(uid: string, id: number, given: EntryInput): Promise<void> {
    const { registry, hooks } = this.#parts
    const type = registry.contentType(uid)
    await this.#lock(type, id)
    const input = await hooks.transformAsync('entry:input', given, this.#event('update', type, id, given))
    const event = this.#event('update', type, id, input)
    const strictness = (await hooks.decide('entry:strictness', event)) ?? 'partial'
    const row = await this.#checked(type, id, input, strictness)
    await hooks.guard('entry:beforeUpdate', event)
    await saveRows([row], registry, this.#tx)
    await hooks.guard('entry:afterUpdate', this.#done(event))
  }

  /** @throws NotFoundError when there is no such entry. */
  async delete(uid: string, id: number): Promise<void> {
    const { registry, hooks } = this.#parts
    const type = registry.contentType(uid)
    await this.#lock(type, id)
    const event = this.#event('delete', type, id, {})
    await hooks.guard('entry:beforeDelete', event)
    await deleteEntries(type, [id], registry, this.#tx)
    await hooks.guard('entry:afterDelete', this.#done(event))
  }

  async stored(uid: string, id: number): Promise<Readonly<Record<string, string | null>> | undefined> {
    const type = this.#parts.registry.contentType(uid)
    const scalars = [...type.attributes.values()].filter((attribute) => attribute.kind === 'scalar')
    const columns = scalars.map(({ column }) => `${quoted(column)}::text`)
    const [row] = await this.query(
      `select ${['"id"::text', ...columns].join(', ')} from ${quoted(type.table)} where "id" = $1::int8`,
      [id],
    )
    return (
      row &&
      Object.fromEntries(
        ['id', ...scalars.map(({ name }) => name)].map((name, i) => [name, row[i] as string | null]),
      )
    )
  }

  /** The entry that a request means, if the caller may write it; `undefined` when there is none. */
  async #idOf({ type, action, id, state, query }: WriteRequest): Promise<number | undefined> {
    if (action === 'create') return undefined
    // Locked before it is looked at, so that what is seen still holds when it is written.
    if (id !== undefined && !(await this.#locked(type, id))) return undefined
    const single = type.kind === 'singleType'
    const target = {
      type,
      action,
      kind: 'one',
      state,
      query: single ? query : 'fields=id',
      ...(id !== undefined && { id }),
    } as const
    const { data } = await this.#parts.reader.readIn(this.#tx, target)
    // `{"id":7,...}` is PostgreSQL's own text.
    return data === undefined ? undefined : Number((JSON.parse(data) as { id: number }).id)
  }

  /** The entry as the caller's query wants it, as this transaction sees it. */
  #answer({ type, action, query, state }: WriteRequest, id: number): Promise<ReadAnswer> {
    return this.#parts.reader.readIn(this.#tx, { type, action, kind: 'one', id, query, state })
  }

  async #checked(
    type: ContentType,
    id: number | undefined,
    input: EntryInput,
    strictness: Strictness,
  ): Promise<RowWrite> {
    const { registry } = this.#parts
    const mistakes = new Mistakes()
    const row = validate(type, id, input, [], { registry, lenient: strictness === 'lenient', mistakes })
    if (id !== undefined && strictness === 'complete') await this.#missing(row, id, mistakes)
    await checkRows([row], registry, this.#tx, mistakes)
    mistakes.throwIfAny()
    return sealed(row)
  }

  /** Adds the required values that neither the update names nor the entry has. */
  async #missing(row: RowWrite, id: number, mistakes: Mistakes): Promise<void> {
    const required = scalars(row.model).filter(
      ({ definition, name }) =>
        definition.required === true && ![...row.values.keys()].some((a) => a.name === name),
    )
    if (required.length === 0) return
    const stored = await this.stored(row.model.uid, id)
    for (const { name } of required) if (stored?.[name] == null) mistakes.add([name], '{at} must be defined.')
  }

  async #lock(type: ContentType, id: number): Promise<void> {
    if (!(await this.#locked(type, id))) throw problem('entry/not-found', {})
  }

  async #locked(type: ContentType, id: number): Promise<boolean> {
    const rows = await this.#tx.query(
      `select 1 from ${quoted(type.table)} where "id" = $1::int8 for update`,
      [id],
    )
    return rows.length > 0
  }

  #event(
    action: WriteEvent['action'],
    type: ContentType,
    id: number | undefined,
    input: EntryInput,
  ): WriteEvent {
    return { action, type, id, input, state: this.#state, entries: this }
  }

  #done(event: WriteEvent): WriteEvent {
    const { entries: _, ...told } = event
    this.#written.push(told)
    return event
  }
}

const scalars = (model: Model): readonly ScalarAttribute[] =>
  [...model.attributes.values()].filter((attribute) => attribute.kind === 'scalar')
