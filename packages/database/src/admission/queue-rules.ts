import { problem } from '../error/problems.ts'
import type { Account, Accounts } from './accounts.ts'
import type { Lane } from './lanes.ts'
import { type AdmissionOptions, standing } from './options.ts'
import type { Places } from './places.ts'
import { noteRefusal, withoutStack } from './refusals.ts'
import type { Running } from './running.ts'
import { displacedBy, isNext, isOverShare } from './shares.ts'
import type { WaitingWork } from './waiting-work.ts'
import type { Demand, Waiting } from './work.ts'

const defaultWaiting = 100

/** How many times as long as work of its kind takes heavy work may wait. */
const heavyWaits = 4

/** The work and the callers of an admission. */
interface Work {
  readonly accounts: Accounts<Waiting>
  readonly places: Places
  readonly waiting: WaitingWork
  readonly running: Running
}

/** Decides whether work may wait in the queue of a lane, which work gives way to it, and how it is refused. */
export class QueueRules {
  readonly #options: AdmissionOptions
  readonly #work: Work
  #refused = 0

  constructor(options: AdmissionOptions, work: Work) {
    this.#options = options
    this.#work = work
  }

  /** Work that was refused so far. */
  get refused(): number {
    return this.#refused
  }

  /** Whether work of a caller may be refused at all. */
  mayBeRefused(account: Account<Waiting>): boolean {
    return this.#options.refusesOwn !== false || account !== this.#work.accounts.own
  }

  /** Whether as much work waits as may wait. */
  get #isFull(): boolean {
    const { connections, waitingPerConnection = defaultWaiting } = this.#options
    return this.#work.waiting.length >= connections * waitingPerConnection
  }

  /** Whether work would wait too long in a queue. */
  #isLong(queue: Lane, isHeavy: boolean, now: number): boolean {
    const { queueTime, heavyTime, unrefused } = this.#options
    const isStanding = queue.hasQueuedFor(now) > queueTime
    if (unrefused && this.#work.waiting.length < (isStanding ? unrefused.standing : unrefused.burst))
      return false
    const { times, least, most } = standing
    const lasting = Math.max(queueTime * least, Math.min(queueTime * most, queue.duration * times))
    const allowed = isStanding ? lasting : queueTime
    const ofHeavy = Math.min(heavyTime, Math.max(allowed, heavyWaits * this.#work.places.heavy.duration))
    return queue.expectedWait(now) > (isHeavy ? ofHeavy : allowed)
  }

  /** Whether work of a caller may not wait in a queue, unless other work gives way to it. */
  hasNoRoom(account: Account<Waiting>, queue: Lane, isHeavy: boolean, now: number): boolean {
    return this.#isFull || (this.#isLong(queue, isHeavy, now) && !this.#isNext(account, now))
  }

  /** Whether the turn of a caller who has used much less than others comes soon, however much work of theirs waits and runs. */
  #isNext(account: Account<Waiting>, now: number): boolean {
    const { own } = this.#work.accounts
    const running = this.#work.running.accounts.filter((other) => other !== own)
    const queued = this.#work.waiting.accounts.filter((other) => other !== own)
    return account !== own && isNext(account, queued, running, this.#options.connections, now)
  }

  /** The work that gives way to work of a caller, if any. */
  givesWay(account: Account<Waiting>, queue: Lane, now: number): Waiting | undefined {
    const isFull = this.#isFull
    const isThere = (waiting: Waiting): boolean =>
      this.mayBeRefused(waiting.account) && (isFull || waiting.queue === queue)
    return displacedBy(account, this.#work.waiting.accounts, isThere, now)
  }

  /** The refusal of work that arrives at a queue, which knows for how long it holds. */
  refusalOfQueue(account: Account<Waiting>, queue: Lane, demand: Demand, now: number): Error {
    const { heavy = false, unknown = false } = demand
    const error = this.refusal(account, heavy, now)
    noteRefusal(error, {
      isNarrow: heavy || unknown,
      refuses: () => {
        const time = performance.now()
        return this.hasNoRoom(account, queue, heavy, time) && !this.givesWay(account, queue, time)
      },
      noteRefused: () => {
        this.#refused += 1
      },
    })
    return error
  }

  /** The refusal of work that waits or arrives. @param arriving The caller that also waits from now on. */
  refusal(account: Account<Waiting>, isHeavy: boolean, now: number, arriving = account): Error {
    this.#refused += 1
    return withoutStack(() => {
      const callers = new Set([...this.#work.waiting.accounts, account, arriving])
      // The work of the server itself is not charged.
      callers.delete(this.#work.accounts.own)
      if (isOverShare(account, callers, now)) return problem('database/over-share', {})
      return isHeavy ? problem('database/overloaded', {}) : problem('database/queue-full', {})
    })
  }
}
