import type { Account } from './accounts.ts'
import { hasRoom } from './lanes.ts'
import { stepOf } from './shares.ts'
import type { Waiting } from './work.ts'

/** The longest time of a timer, in milliseconds. */
export const longestTimer = 2 ** 31 - 1

/** Work that waits for a connection, by caller. It takes turns, and ends when its time is over. */
export class WaitingWork {
  readonly #expire: (waiting: Waiting, now: number) => void
  readonly #accounts: Account<Waiting>[] = []
  #length = 0
  /** Work that has waited so far. */
  #number = 0
  /** For all work that waits: most of it starts within milliseconds, and would set and clear a timer each time. */
  #timer: NodeJS.Timeout | undefined
  /** When the timer ends. */
  #checked = Number.POSITIVE_INFINITY

  /** @param expire Ends work whose time is over, and takes it out of the queue. */
  constructor(expire: (waiting: Waiting, now: number) => void) {
    this.#expire = expire
  }

  /** The accounts with work that waits. */
  get accounts(): readonly Account<Waiting>[] {
    return this.#accounts
  }

  /** Pieces of work that wait. */
  get length(): number {
    return this.#length
  }

  /** The place of the next piece of work in the order of arrival. */
  nextNumber(): number {
    return this.#number++
  }

  add(waiting: Waiting, now: number): void {
    const { account, lanes, until } = waiting
    if (account.waiting.length === 0) this.#accounts.push(account)
    account.waiting.push(waiting)
    this.#length += 1
    for (const lane of lanes) lane.waiting += 1
    this.#checkAt(until, now)
  }

  remove(waiting: Waiting): void {
    const { account, lanes } = waiting
    account.waiting.splice(account.waiting.indexOf(waiting), 1)
    if (account.waiting.length === 0) this.#accounts.splice(this.#accounts.indexOf(account), 1)
    this.#length -= 1
    for (const lane of lanes) lane.waiting -= 1
  }

  /** Work with statements of a shape. */
  ofShape(shape: string): readonly Waiting[] {
    return this.#accounts.flatMap(({ waiting }) => waiting.filter(({ demand }) => demand.shape === shape))
  }

  /** The next work whose lanes have room: the first of the caller who has used the least, in steps. Of equal callers, the work that arrived first. */
  next(now: number): Waiting | undefined {
    let next: Waiting | undefined
    let least = Number.POSITIVE_INFINITY
    for (const account of this.#accounts) {
      const used = stepOf(account.used(now))
      if (used > least) continue
      const first = account.waiting.find(({ lanes }) => lanes.every(hasRoom))
      if (!first || (next && used === least && next.number < first.number)) continue
      next = first
      least = used
    }
    return next
  }

  /** Sets the timer, unless it ends earlier. */
  #checkAt(time: number, now: number): void {
    if (time >= this.#checked) return
    clearTimeout(this.#timer)
    this.#checked = time
    this.#timer = setTimeout(() => this.#endExpired(), Math.min(Math.ceil(time - now), longestTimer))
    this.#timer.unref()
  }

  #endExpired(): void {
    this.#checked = Number.POSITIVE_INFINITY
    const now = performance.now()
    for (const waiting of this.#accounts.flatMap((account) => account.waiting)) {
      if (waiting.until <= now) this.#expire(waiting, now)
      else this.#checkAt(waiting.until, now)
    }
  }
}
