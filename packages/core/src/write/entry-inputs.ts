import type { BatchedTransaction } from '@octavo/database'
import type { StrictnessDecision, WriteEvent } from '../plugin/hooks.ts'
import { checkRows } from './check.ts'
import { isDirect } from './direct.ts'
import { hashSecrets, hasSecrets } from './hash-secrets.ts'
import { InputMistakes } from './mistakes.ts'
import type { GivenRow } from './named.ts'
import { type NewIds, sendNewIds } from './new-ids.ts'
import type { WriteRights } from './rights.ts'
import { storedTexts } from './stored-texts.ts'
import { withGeneratedUids } from './uid.ts'
import { validate } from './validate.ts'
import type { WriteParts } from './write-parts.ts'
import { type BodyPath, type RowWrite, refersToEntries } from './write-plan.ts'

/** An input after the hooks of inputs. */
export interface Pending {
  readonly event: WriteEvent
  /** `undefined`: `complete` for creates, `partial` for updates. */
  readonly strictness: StrictnessDecision | undefined
  /** The path in the body; empty for a body with one entry. */
  readonly at: BodyPath
  /** The attributes whose value is from the caller; none for an input of a plugin. */
  readonly given: ReadonlySet<string>
}

/** The rights that a plugin's write needs on other entries; see `EntryWriter.update`. */
export type Rights = 'plugin' | 'caller'

/** Permitted rows, and the check to repeat after the write. */
export interface CheckedRows {
  readonly rows: readonly RowWrite[]
  readonly again: (() => Promise<void>) | undefined
  readonly newIds: NewIds
  /** Whether the database is left to refuse them; see `direct.ts`. */
  readonly areDirect: boolean
}

/** Makes the rows of inputs: runs the hooks of inputs, validates the values, and checks rights and the database. */
export class EntryInputs {
  readonly #parts: WriteParts
  readonly #tx: BatchedTransaction
  readonly #rights: WriteRights
  readonly #isCreated: (uid: string, id: number) => boolean

  /** @param isCreated Whether a plugin created the entry in this transaction. */
  constructor(
    parts: WriteParts,
    tx: BatchedTransaction,
    rights: WriteRights,
    isCreated: (uid: string, id: number) => boolean,
  ) {
    this.#parts = parts
    this.#tx = tx
    this.#rights = rights
    this.#isCreated = isCreated
  }

  /** Runs `entry:input` and `entry:strictness`. @param event With the input as it was given. */
  async prepare(event: WriteEvent, at: BodyPath): Promise<Pending> {
    const { hooks } = this.#parts
    const { action, type, by, input: given } = event
    const fromCaller = new Set(by === 'caller' ? Object.keys(given) : [])
    let transformed = given
    if (hooks.has('entry:input', event)) {
      for await (const step of hooks.transformSteps('entry:input', given, event)) {
        // A value that a plugin removed is not from the caller, even if another plugin sets it.
        for (const name of fromCaller) if (!Object.hasOwn(step, name)) fromCaller.delete(name)
        transformed = step
      }
    }
    const input = action === 'create' ? await withGeneratedUids(type, transformed, this.#tx) : transformed
    const prepared = input === given ? event : { ...event, input }
    const strictness = hooks.has('entry:strictness', prepared)
      ? await hooks.decide('entry:strictness', prepared)
      : undefined
    return { event: prepared, strictness, at, given: fromCaller }
  }

  /**
   * Validates the values of an input that the database checks otherwise.
   * @returns `undefined` when something has to be checked before.
   */
  direct({ event, strictness, at }: Pending): RowWrite | undefined {
    const { registry } = this.#parts
    // The values that the stored entry lacks are found by a query.
    if (event.id !== undefined && strictness === 'complete') return undefined
    const mistakes = new InputMistakes()
    // An input without mistakes has none either where drafts may be incomplete.
    const lenient = strictness === 'lenient'
    const row = validate(event.type, event.id, event.input, at, { registry, lenient, mistakes })
    return !mistakes.any && this.#mayBeDirect(row) ? row : undefined
  }

  async #isLenient({ event: { type, id, state }, strictness }: Pending): Promise<boolean> {
    if (typeof strictness !== 'object') return strictness === 'lenient'
    if (id === undefined) return false
    return this.#parts.reaches.meets(strictness.lenientIf, { type, id, state }, this.#tx)
  }

  #mayBeDirect(row: RowWrite): boolean {
    return (this.#parts.reaches.areAll || !refersToEntries(row)) && isDirect(row)
  }

  /**
   * @param mayBeDirect Whether the rows may be left to the database to check.
   * @throws ValidationError with all mistakes; errors of rights.
   */
  async check(pending: readonly Pending[], rights: Rights, mayBeDirect = false): Promise<CheckedRows> {
    const { registry } = this.#parts
    const mistakes = new InputMistakes()
    const read: GivenRow[] = []
    for (const one of pending) {
      const { event, strictness, at, given } = one
      const lenient = await this.#isLenient(one)
      const row = validate(event.type, event.id, event.input, at, { registry, lenient, mistakes })
      if (event.id !== undefined && strictness === 'complete') await this.#addMissing(row, event, mistakes)
      read.push({ row, given })
    }
    const given = read.map(({ row }) => row)
    if (mayBeDirect && !mistakes.any && given.every((row) => this.#mayBeDirect(row)))
      return { rows: given, again: undefined, newIds: [], areDirect: true }
    const newIds = mistakes.any ? [] : sendNewIds(given, this.#tx)
    const named = await this.#rights.named(read, this.#isCreated)
    await checkRows(named, registry, this.#tx, mistakes)
    mistakes.throwIfAny()
    const { rows, again } =
      rights === 'caller' ? await this.#rights.changed(named) : { rows: named, again: undefined }
    const hashed = rows.some(hasSecrets) ? await Promise.all(rows.map(hashSecrets)) : rows
    return { rows: hashed, again, newIds, areDirect: false }
  }

  /** Adds mistakes for required values that neither the update nor the stored entry has. */
  async #addMissing(row: RowWrite, { type, id }: WriteEvent, mistakes: InputMistakes): Promise<void> {
    const required = [...row.model.attributes.values()].filter(
      (attribute) =>
        attribute.kind === 'scalar' && attribute.definition.required === true && !row.values.has(attribute),
    )
    if (required.length === 0 || id === undefined) return
    const stored = await storedTexts(type, id, this.#tx)
    for (const { name } of required)
      if (stored?.[name] == null) mistakes.add([...row.at, name], '{at} must be defined.')
  }
}
