/** Decides how a write runs: as one message, which hooks may follow, or step by step, with JavaScript in between. It is decided here only. */

import type { Registry } from '../content-type/model.ts'
import type { Reaches } from '../execute/reach.ts'
import { needsSteps, type WrittenReads } from '../execute/written-reads.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import type { WriteHook } from '../hooks/hooks.ts'
import { entriesToHandle, usesDatabase } from '../hooks/write-filters.ts'
import { isId } from '../id.ts'
import type { Condition } from '../plan/plan.ts'
import type { WriteEvent } from '../plugin/write-event.ts'
import type { WriteRequest } from '../requests.ts'
import { type Check, refusal } from './check/check.ts'
import { checksOf } from './check/checks-of.ts'
import { pluginChecks } from './check/plugin-checks.ts'
import type { WriteRights } from './check/rights.ts'
import { hasFewIds } from './compile/ids.ts'
import { hashSecrets } from './input/hash-secrets.ts'
import { InputMistakes } from './input/mistakes.ts'
import { type Pending, readPending } from './input/pending.ts'
import type { UnknownNamesParts } from './input/unknown-names.ts'
import type { WritePlan } from './input/write-plan.ts'

/** A write that is one message: what it does, and what must hold before it. */
export interface MessagePlan {
  readonly plan: WritePlan
  readonly checks: readonly Check[]
  /** Whether hooks run after it, and may change the entry before it is answered. */
  readonly runsHooks: boolean
}

/** The collaborators of a decision. */
export interface StrategyParts extends UnknownNamesParts {
  readonly registry: Registry
  readonly reads: WrittenReads
  readonly reaches: Reaches
}

/** The hooks that run between the steps of a write. */
export const hooksBetween = {
  create: { before: 'entry:beforeCreate', after: 'entry:afterCreate' },
  update: { before: 'entry:beforeUpdate', after: 'entry:afterUpdate' },
  delete: { before: 'entry:beforeDelete', instead: 'entry:delete', after: 'entry:afterDelete' },
} as const satisfies Record<WriteEvent['action'], Readonly<Record<string, WriteHook>>>

/**
 * Whether the entry of an update or a delete is found before the write: by the rights of the caller, as that of a single type, for a
 * precondition, or for a hook of inputs that uses the database. Otherwise it is found in the message.
 */
export function isFoundFirst(
  { type, action, id, precondition, state }: WriteRequest,
  event: WriteEvent,
  { hooks, reads }: StrategyParts,
): boolean {
  if (id === undefined || !isId(id) || precondition !== undefined) return true
  // Conditions that an answer does not show are checked before the write.
  if (reads.narrows({ type, action, state })) return true
  return mayHaveWritten(event, hooks)
}

/** Whether a hook of inputs may write something before the write itself. */
export const mayHaveWritten = (event: WriteEvent, hooks: HookRunner): boolean =>
  event.action !== 'delete' &&
  (usesDatabase(hooks, 'entry:input', event) || usesDatabase(hooks, 'entry:strictness', event))

/** The limits that hooks between the steps set to a message. */
interface Allowed {
  /** The entries for which a hook would have something to do: the message finds that its entry is none of them, or writes nothing. */
  readonly tried: readonly Condition[]
  readonly runsHooks: boolean
}

/** `undefined`: a hook of the type and action needs JavaScript before the rows are written. */
function allowedBy(hooks: HookRunner, event: WriteEvent, mayTry: boolean): Allowed | undefined {
  const { after, ...others } = hooksBetween[event.action]
  const before = Object.values(others).map((name) => entriesToHandle(hooks, name, event))
  const afterwards = entriesToHandle(hooks, after, event)
  const conditions = [...before, afterwards]
  const tried = conditions.flatMap((some) => some ?? [])
  const isKnown = conditions.every((some) => some !== undefined)
  if (mayTry && event.action === 'update' && isKnown && tried.length > 0) return { tried, runsHooks: false }
  if (before.some((some) => some?.length !== 0)) return undefined
  return { tried: [], runsHooks: afterwards?.length !== 0 }
}

/**
 * The message of a prepared write; `undefined` when it runs step by step.
 * @param mayTry Whether the message may turn out to be none: it writes nothing then, and the write begins anew, step by step.
 */
export async function messageOf(
  pending: Pending,
  parts: StrategyParts,
  rights: WriteRights,
  mayTry: boolean,
): Promise<MessagePlan | undefined> {
  const { registry, hooks } = parts
  const { event, strictness } = pending
  const { type, id, action } = event
  const allowed = allowedBy(hooks, event, mayTry)
  if (!allowed) return undefined
  const { tried, runsHooks } = allowed
  const ofPlugins = pluginChecks([event], hooks)
  if (action === 'delete') {
    if (id === undefined || runsHooks) return undefined
    const row = { model: type, id, values: new Map(), relations: [], components: [], morphs: [], at: [] }
    return { plan: { kind: 'delete', row }, checks: ofPlugins, runsHooks }
  }
  const mistakes = new InputMistakes()
  // An input that is complete enough for a published entry is so for a draft.
  const read = readPending(pending, strictness === 'lenient', parts, mistakes)
  const narrow = rights.narrow([read])
  if (mistakes.any || !hasFewIds(read.row) || !rights.areKnown(read.row, narrow)) return undefined
  const row = await hashSecrets(read.row)
  const kind = id === undefined ? 'insert' : 'update'
  const entry = { type, id: id ?? 0, state: event.state }
  const lists = tried.map((condition) => ({ rows: parts.reaches.meeting(condition, entry), count: 0 }))
  const first: readonly Check[] =
    tried.length > 0 ? [{ lists, readsEntry: true, report: refusal(() => needsSteps) }] : []
  const checks = [...first, ...ofPlugins, ...checksOf([read], registry, narrow)]
  return { plan: { kind, row }, checks, runsHooks }
}
