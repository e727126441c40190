import type { EntryInput } from '../../content-type/types/entry-input.ts'
import type { WriteEvent } from '../../plugin/write-event.ts'
import { type Check, runChecks } from '../check/check.ts'
import { checksOf } from '../check/checks-of.ts'
import { pluginChecks } from '../check/plugin-checks.ts'
import { newIds, storedIds } from '../compile/ids.ts'
import { hashSecrets } from '../input/hash-secrets.ts'
import { InputMistakes } from '../input/mistakes.ts'
import { type Pending, readPending } from '../input/pending.ts'
import type { BodyPath, RowWrite } from '../input/write-plan.ts'
import type { Writing } from './write-parts.ts'

/** The rights that a plugin's write needs on other entries; see `EntryWriter.update`. */
export type Rights = 'plugin' | 'caller'

/** Permitted rows, and the check to repeat after the write. */
interface CheckedRows {
  readonly rows: readonly RowWrite[]
  readonly again: (() => Promise<void>) | undefined
  /** The ids of all rows. */
  readonly ids: readonly number[]
}

/** Runs `entry:input` and `entry:strictness`, which a delete has not. @param event With the input as it was given. */
export async function prepareInput(
  event: WriteEvent,
  at: BodyPath,
  { parts: { hooks, reads }, tx, uids }: Writing,
): Promise<Pending> {
  if (event.action === 'delete') return { event, strictness: undefined, at, given: new Set() }
  const { action, type, by, input: given } = event
  if (action === 'create') await reads.refuseSecond(type, tx)
  const fromCaller = new Set(by === 'caller' ? Object.keys(given) : [])
  const note = (step: EntryInput): void => {
    // A value that a plugin removed is not from the caller, even if another plugin sets it.
    for (const name of fromCaller) if (!Object.hasOwn(step, name)) fromCaller.delete(name)
  }
  const transformed = await hooks.transformSteps('entry:input', note, given, event)
  const input = action === 'create' ? await uids.addTo(transformed, type) : transformed
  const prepared = input === given ? event : { ...event, input }
  const strictness = hooks.has('entry:strictness', prepared)
    ? await hooks.decide('entry:strictness', prepared)
    : undefined
  return { event: prepared, strictness, at, given: fromCaller }
}

/**
 * The inputs that need not be complete. All that the database decides is one message; it is not asked about an input that is complete enough for
 * any entry.
 */
async function lenientOf(pending: readonly Pending[], { parts, tx }: Writing): Promise<ReadonlySet<Pending>> {
  const lenient = new Set(pending.filter(({ strictness }) => strictness === 'lenient'))
  let asks = false
  for (const one of pending) {
    const { event, strictness } = one
    const { type, id, state } = event
    if (typeof strictness !== 'object' || id === undefined) continue
    const mistakes = new InputMistakes()
    readPending(one, false, parts, mistakes)
    if (!mistakes.any) continue
    tx.send(parts.reaches.meeting(strictness.lenientIf, { type, id, state }), () => lenient.add(one))
    asks = true
  }
  if (asks) await tx.flush()
  return lenient
}

/**
 * Makes the rows of inputs: reads their values, and checks rights and the database.
 * @param first Checks that come before all others. Default: none.
 * @throws ValidationError with all mistakes; errors of rights.
 */
export async function checkInputs(
  pending: readonly Pending[],
  asks: Rights,
  writing: Writing,
  first: readonly Check[] = [],
): Promise<CheckedRows> {
  const { parts, tx, rights } = writing
  const mistakes = new InputMistakes()
  const lenient = await lenientOf(pending, writing)
  const read = pending.map((one) => readPending(one, lenient.has(one), parts, mistakes))
  const findable = await rights.findable(read)
  const checked = findable.map(({ row }) => row)
  const events = pending.map(({ event }) => event).filter(({ action }) => action !== 'delete')
  const checks = checksOf(findable, parts.registry, rights.narrow(findable))
  const all = [...first, ...pluginChecks(events, parts.hooks), ...checks]
  const missing = newIds(checked)
  const taken = await runChecks(all, tx, mistakes, mistakes.any ? undefined : missing)
  mistakes.throwIfAny()
  const ids = missing ? taken : storedIds(checked)
  const { rows, again } =
    asks === 'caller' ? await rights.changed(checked) : { rows: checked, again: undefined }
  return { rows: await Promise.all(rows.map(hashSecrets)), again, ids }
}
