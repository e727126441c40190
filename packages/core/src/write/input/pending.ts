import type { Registry } from '../../content-type/model.ts'
import type { StrictnessDecision } from '../../hooks/write-hooks.ts'
import type { WriteEvent } from '../../plugin/write-event.ts'
import type { InputMistakes } from './mistakes.ts'
import { type UnknownNamesParts, unknownNamesOf } from './unknown-names.ts'
import { readRow } from './validate.ts'
import type { BodyPath, RowWrite } from './write-plan.ts'

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

/** A written entry. */
export interface GivenRow {
  readonly row: RowWrite
  /** The attributes whose value is from the caller; plugins added the others. */
  readonly given: ReadonlySet<string>
  /** Whether the stored entry must have the required values that an update leaves out. */
  readonly isComplete: boolean
}

/** Reads an input; mistakes are added. @param lenient Required attributes and minimum lengths are not enforced: a draft. */
export function readPending(
  { event, at, given, strictness }: Pending,
  lenient: boolean,
  parts: UnknownNamesParts & { readonly registry: Registry },
  mistakes: InputMistakes,
): GivenRow {
  const look = unknownNamesOf(event, parts, mistakes)
  const options = { registry: parts.registry, lenient, isCreate: event.id === undefined, mistakes, look }
  const row = readRow(event.type, event.id, event.input, at, options)
  return { row, given, isComplete: strictness === 'complete' }
}
