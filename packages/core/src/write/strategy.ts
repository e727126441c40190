/**
 * Decides how a write runs: as one message, or step by step, with hooks and answers of the database in between. It is decided here only.
 */

import type { Registry } from '../content-type/model.ts'
import type { EntryReader } from '../execute/reader.ts'
import { isId } from '../id.ts'
import type { HookRunner } from '../plugin/hook-runner.ts'
import type { HookName, WriteEvent } from '../plugin/hooks.ts'
import type { WriteRequest } from '../requests.ts'
import { type Check, checksOf, existsCheck, presentChecks } from './check/check.ts'
import type { WriteRights } from './check/rights.ts'
import { generatesUids } from './check/uid.ts'
import { containsItself } from './compile/delete-rows.ts'
import { hasSecrets } from './input/hash-secrets.ts'
import { InputMistakes } from './input/mistakes.ts'
import type { Pending } from './input/pending.ts'
import { validate } from './input/validate.ts'
import { allRows, type RowWrite, type WritePlan } from './input/write-plan.ts'

/** A write that is one message: what it does, and what must hold before it. */
export interface MessagePlan {
  readonly plan: WritePlan
  readonly checks: readonly Check[]
}

interface StrategyParts {
  readonly registry: Registry
  readonly hooks: HookRunner
  readonly reader: EntryReader
}

/** The hooks that run between the steps of a write. */
const hooksBetween = {
  create: ['entry:beforeCreate', 'entry:afterCreate'],
  update: ['entry:beforeUpdate', 'entry:afterUpdate'],
  delete: ['entry:beforeDelete', 'entry:delete', 'entry:afterDelete'],
} as const satisfies Record<WriteEvent['action'], readonly HookName[]>

/**
 * Whether a write may be a message, before its input is prepared: nothing is asked of the entry, and no hook of inputs uses the
 * database.
 */
export function mayBeMessage(
  { type, action, id, precondition, state }: WriteRequest,
  event: WriteEvent,
  { hooks, reader }: StrategyParts,
): boolean {
  if (action === 'create' ? generatesUids(type) : id === undefined || !isId(id) || precondition !== undefined)
    return false
  // What an answer does not show is checked before the write.
  if (action !== 'create' && reader.narrows({ type, action, state })) return false
  if (action === 'delete') return true
  return !hooks.usesDatabase('entry:input', event) && !hooks.usesDatabase('entry:strictness', event)
}

/** @returns the message of a prepared write; `undefined` when it runs step by step. */
export function messageOf(
  pending: Pending,
  { registry, hooks }: StrategyParts,
  rights: WriteRights,
): MessagePlan | undefined {
  const { event, strictness, given } = pending
  const { type, id, action } = event
  if (hooksBetween[action].some((name) => hooks.has(name, event))) return undefined
  if (action === 'delete') {
    if (id === undefined || containsItself(type, registry)) return undefined
    const row = { model: type, id, values: new Map(), relations: [], components: [], morphs: [], at: [] }
    return { plan: { kind: 'delete', row }, checks: [existsCheck(row, 'update')] }
  }
  const mistakes = new InputMistakes()
  // An input that is complete enough for a published entry is so for a draft.
  const lenient = strictness === 'lenient'
  const row = validate(type, id, event.input, pending.at, { registry, lenient, mistakes })
  const narrow = rights.inMessage({ row, given })
  if (mistakes.any || !narrow || !isStatement(row) || hasSecrets(row)) return undefined
  if (id === undefined) return { plan: { kind: 'insert', row }, checks: checksOf([row], registry, narrow) }
  if (row.components.length > 0 && containsItself(type, registry)) return undefined
  const present = strictness === 'complete' ? presentChecks(row) : []
  const checks = [existsCheck(row, 'no key update'), ...present, ...checksOf([row], registry, narrow)]
  return { plan: { kind: 'update', row }, checks }
}

/** Whether the statements of a row follow from its values: a position beside another entry follows from those of the database. */
function isStatement(root: RowWrite): boolean {
  for (const row of allRows(root)) {
    if (row.id !== undefined && !isId(row.id)) return false
    for (const { change } of row.relations)
      if (change.kind === 'patch' && change.connect.some(({ position }) => position.kind !== 'end'))
        return false
  }
  return true
}
