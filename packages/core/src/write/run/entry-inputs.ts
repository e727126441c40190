import type { BatchedTransaction } from '@octavo/database'
import type { WriteEvent } from '../../plugin/write-hooks.ts'
import { runChecks } from '../check/check.ts'
import { checksOf, presentChecks } from '../check/checks-of.ts'
import type { GivenRow } from '../check/named.ts'
import type { WriteRights } from '../check/rights.ts'
import { withGeneratedUids } from '../check/uid.ts'
import { sendIds } from '../compile/ids.ts'
import { hashSecrets, hasSecrets } from '../input/hash-secrets.ts'
import { InputMistakes } from '../input/mistakes.ts'
import { type Pending, readPending } from '../input/pending.ts'
import type { BodyPath, RowWrite } from '../input/write-plan.ts'
import type { WriteParts } from './write-parts.ts'

/** The rights that a plugin's write needs on other entries; see `EntryWriter.update`. */
export type Rights = 'plugin' | 'caller'

/** Permitted rows, and the check to repeat after the write. */
export interface CheckedRows {
  readonly rows: readonly RowWrite[]
  readonly again: (() => Promise<void>) | undefined
  /** The ids of all rows, which are taken together with the checks. */
  readonly ids: () => Promise<readonly number[]>
}

/** Makes the rows of inputs: runs the hooks of inputs, validates the values, and checks rights and the database. */
export class EntryInputs {
  readonly #parts: WriteParts
  readonly #tx: BatchedTransaction
  readonly #rights: WriteRights

  constructor(parts: WriteParts, tx: BatchedTransaction, rights: WriteRights) {
    this.#parts = parts
    this.#tx = tx
    this.#rights = rights
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

  async #isLenient({ event: { type, id, state }, strictness }: Pending): Promise<boolean> {
    if (typeof strictness !== 'object') return strictness === 'lenient'
    if (id === undefined) return false
    const query = this.#parts.reaches.meeting(strictness.lenientIf, { type, id, state })
    return (await this.#tx.run(query)).length > 0
  }

  /**
   * @throws ValidationError with all mistakes; errors of rights.
   */
  async check(pending: readonly Pending[], rights: Rights): Promise<CheckedRows> {
    const { registry } = this.#parts
    const mistakes = new InputMistakes()
    const read: GivenRow[] = []
    for (const one of pending) {
      const row = readPending(one, await this.#isLenient(one), this.#parts, mistakes)
      if (one.strictness === 'complete') await runChecks(presentChecks(row), this.#tx, mistakes)
      read.push({ row, given: one.given })
    }
    const given = read.map(({ row }) => row)
    const narrow = this.#rights.narrow(read)
    await runChecks(checksOf(given, registry, narrow), this.#tx, mistakes)
    mistakes.throwIfAny()
    const named = await this.#rights.named(given, narrow)
    // A refused write uses up no id.
    const ids = sendIds(given, this.#tx)
    const { rows, again } =
      rights === 'caller' ? await this.#rights.changed(named) : { rows: named, again: undefined }
    const hashed = rows.some(hasSecrets) ? await Promise.all(rows.map(hashSecrets)) : rows
    return {
      rows: hashed,
      again,
      ids: async () => {
        if (ids.length === 0) await this.#tx.flush()
        return ids
      },
    }
  }
}
