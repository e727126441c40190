import type { StrictnessDecision, WriteEvent } from '../../plugin/write-hooks.ts'
import type { UnknownName } from './unknown-names.ts'
import type { BodyPath } from './write-plan.ts'

/** An input after the hooks of inputs. */
export interface Pending {
  readonly event: WriteEvent
  /** `undefined`: `complete` for creates, `partial` for updates. */
  readonly strictness: StrictnessDecision | undefined
  /** The path in the body; empty for a body with one entry. */
  readonly at: BodyPath
  /** The attributes whose value is from the caller; none for an input of a plugin. */
  readonly given: ReadonlySet<string>
  /** The names that no attribute has and that are refused. */
  readonly unknown: readonly UnknownName[]
}
