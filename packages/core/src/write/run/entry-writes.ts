import { param } from '@octavo/database'
import type { ContentType } from '../../content-type/model.ts'
import type { EntryInput } from '../../content-type/types/entry-input.ts'
import { problem } from '../../error/problems.ts'
import { withTakenInput } from '../../hooks/writable.ts'
import { oneByOne } from '../../one-by-one.ts'
import type { EntryWriter } from '../../plugin/entry-writer.ts'
import { PluginError } from '../../plugin/plugin-error.ts'
import type { WriteEvent } from '../../plugin/write-event.ts'
import { type Check, runChecks } from '../check/check.ts'
import { pluginChecks } from '../check/plugin-checks.ts'
import { deletionOf } from '../compile/delete-rows.ts'
import { knownIds } from '../compile/ids.ts'
import { pluginStatements, sendStatements } from '../compile/plugin-statements.ts'
import { saveRows } from '../compile/save-rows.ts'
import { InputMistakes } from '../input/mistakes.ts'
import type { Pending } from '../input/pending.ts'
import type { BodyPath } from '../input/write-plan.ts'
import { hooksBetween } from '../strategy.ts'
import { checkInputs, prepareInput, type Rights } from './entry-inputs.ts'
import type { Writing } from './write-parts.ts'

/** Writes entries step by step in one transaction, with all checks and hooks. */
export class EntryWrites {
  readonly #writing: Writing
  /** The writes so far, in order. */
  readonly written: Omit<WriteEvent, 'entries'>[] = []
  /** The entries that these deleted, as `uid id`, and whether they remain. */
  readonly #deleted = new Map<string, boolean>()
  readonly #further: EntryWriter

  /** @param writerOf Makes the writer of hooks, whose writes are of this transaction. */
  constructor(writing: Writing, writerOf: (writes: EntryWrites, writing: Writing) => EntryWriter) {
    this.#writing = writing
    this.#further = writerOf(this, writing)
  }

  /** Writes entries between the statements of plugins. @param events With the ids of the entries. */
  async #between(
    events: readonly (readonly [event: WriteEvent, id: number])[],
    write: () => void | Promise<void>,
  ): Promise<void> {
    const { parts, tx } = this.#writing
    const statements = events.flatMap(([event, id]) =>
      pluginStatements(event, param(id, 'int4'), parts, hooksBetween[event.action].after),
    )
    sendStatements(statements, 'before', tx)
    await write()
    sendStatements(statements, 'after', tx)
  }

  /** Records writes of one action, and runs the hooks after them. */
  async finish(events: readonly WriteEvent[]): Promise<void> {
    const { hooks } = this.#writing.parts
    const hookOf = ({ action }: WriteEvent) => hooksBetween[action].after
    if (events.some((event) => hooks.has(hookOf(event), event))) await this.#writing.tx.flush()
    for (const event of events) await hooks.guard(hookOf(event), this.done(event))
  }

  event(
    action: WriteEvent['action'],
    type: ContentType,
    id: number | undefined,
    input: EntryInput,
    by: WriteEvent['by'] = 'caller',
  ): WriteEvent {
    const { state } = this.#writing
    const entries = this.#further
    return withTakenInput({ action, type, id, input, by, remains: false, state, entries })
  }

  /** Records a write that has happened. */
  done(event: WriteEvent): WriteEvent {
    const { entries: _, ...rest } = event
    this.written.push(rest)
    if (event.action === 'delete') this.#deleted.set(`${event.type.uid} ${event.id}`, event.remains)
    return event
  }

  /** Whether an entry was deleted in this transaction, as a hook may have done. @param mayRemain Whether it may still be there. */
  hasDeleted({ type, id }: Pick<WriteEvent, 'type' | 'id'>, mayRemain = false): boolean {
    const remains = this.#deleted.get(`${type.uid} ${id}`)
    return remains === false || (mayRemain && remains === true)
  }

  async createAll(
    type: ContentType,
    inputs: readonly EntryInput[],
    at: (i: number) => BodyPath,
    by: WriteEvent['by'] = 'caller',
  ): Promise<readonly number[]> {
    if (type.kind === 'singleType' && inputs.length > 1)
      throw problem('entry/second-single', { type: type.singularName })
    const prepare = (given: EntryInput, i: number): Promise<Pending> =>
      prepareInput(this.event('create', type, undefined, given, by), at(i), this.#writing)
    return this.save(await oneByOne(inputs, prepare), by)
  }

  /** Writes new entries, or entries that are locked, with the hooks before and after it, and the `first` checks before all others. @returns their ids. */
  async save(
    pending: readonly Pending[],
    rights: Rights = 'caller',
    first: readonly Check[] = [],
  ): Promise<readonly number[]> {
    const { registry, hooks } = this.#writing.parts
    // The checks of plugins see the writes before their own.
    if (pending.length > 1 && pending.some(({ event }) => hooks.has('entry:checks', event)))
      return (await oneByOne(pending, (one) => this.save([one], rights, first))).flat()
    const { rows, again, ids: all } = await checkInputs(pending, rights, this.#writing, first)
    for (const { event } of pending) await hooks.guard(hooksBetween[event.action].before, event)
    if (pending.some(({ event }) => this.hasDeleted(event))) throw problem('entry/not-found')
    const known = knownIds(rows, all)
    const saved = rows.map((row) => all[(known.numberOf(row) ?? 0) - 1] as number) // each entry has one
    const events = pending.map(({ event }, i) => [event, saved[i] as number] as const)
    await this.#between(events, () => saveRows(rows, known, registry, this.#writing.tx))
    for (const [{ action, by, type }, id] of events)
      if (action === 'create' && by === 'plugin') this.#writing.rights.created(type, id)
    await again?.()
    await this.finish(events.map(([event, id]) => ({ ...event, id })))
    return saved
  }

  /** Deletes an entry that is locked. @param first See {@link save}. */
  async delete(
    type: ContentType,
    id: number,
    by: WriteEvent['by'] = 'caller',
    first: readonly Check[] = [],
  ): Promise<void> {
    const { registry, hooks } = this.#writing.parts
    const event = this.event('delete', type, id, {}, by)
    await runChecks([...first, ...pluginChecks([event], hooks)], this.#writing.tx, new InputMistakes())
    await hooks.guard(hooksBetween.delete.before, event)
    if (this.hasDeleted(event)) return
    let remains = false
    await this.#between([[event, id]], async () => {
      remains = hooks.has('entry:delete', event) && (await this.#updateInstead(event))
      if (!remains) this.#writing.tx.send(deletionOf(type, param(id, 'int4'), registry))
    })
    await this.finish([{ ...event, remains }])
  }

  /**
   * Writes the values that a plugin returns from `entry:delete`, in place of deleting the entry. Required attributes may be
   * cleared, so that the plugin can free unique values.
   *
   * @returns whether a plugin returned values
   * @throws PluginError for an unknown attribute, ValidationError for an invalid value
   */
  async #updateInstead(event: WriteEvent): Promise<boolean> {
    const { tx, parts } = this.#writing
    const decided = await parts.hooks.decideByPlugin('entry:delete', event)
    if (!decided) return false
    const { plugin, answer: input } = decided
    const { type } = event
    // Writes ignore unknown names, and here the entry would remain as it was.
    const unknown = Object.keys(input).find((name) => !type.attributes.has(name))
    if (unknown !== undefined)
      throw new PluginError(plugin, 'entry:delete', `${type.uid} has no attribute "${unknown}"`)
    const pending = {
      event: { ...event, input, by: 'plugin' },
      strictness: 'lenient',
      at: [],
      given: new Set<string>(),
    } as const
    const { rows, ids } = await checkInputs([pending], 'plugin', this.#writing)
    saveRows(rows, knownIds(rows, ids), parts.registry, tx)
    return true
  }
}
