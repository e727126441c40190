import type { CancelSignal } from '../cancel-signal.ts'
import type { Account } from './accounts.ts'
import type { Lane } from './lanes.ts'
import type { Demand as Kind } from './places.ts'

/** Work that needs a connection. */
export interface Demand extends Kind {
  /** Equal for statements that differ in their values only. Work that waits becomes heavy when a statement of its shape was slow. */
  readonly shape?: string | undefined
  readonly signal?: CancelSignal | undefined
}

/** The lanes that work takes a part of while it runs, who is charged, and when it started, as `performance.now()`. */
export interface Place {
  readonly lanes: readonly Lane[]
  readonly demand: Demand
  readonly account: Account<Waiting>
  readonly since: number
  /** The index of the place among the work that runs. */
  at: number
  /** The milliseconds that it ran when its shape was told last; 0 before. */
  told: number
}

export interface Waiting {
  readonly demand: Demand
  readonly account: Account<Waiting>
  lanes: readonly Lane[]
  isHeavy: boolean
  /**
   * The lane whose queue it is in: of those that are full, the one with the longest wait. In the queues of the others it would
   * count as before work that passes over it.
   */
  readonly queue: Lane
  /** The place of the work in the order of arrival. */
  readonly number: number
  /** When it is refused, as `performance.now()`. */
  readonly until: number
  readonly enter: (now: number) => void
  /** Refuses it. */
  readonly stop: (error: Error) => void
}
