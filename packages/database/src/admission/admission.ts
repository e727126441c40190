import { problem } from '../error/problems.ts'
import { type Account, Accounts } from './accounts.ts'
import { hasRoom, longestOf } from './lanes.ts'
import type { AdmissionOptions } from './options.ts'
import { Places } from './places.ts'
import { QueueRules } from './queue-rules.ts'
import { Running } from './running.ts'
import { Shapes } from './shapes.ts'
import { longestTimer, WaitingWork } from './waiting-work.ts'
import type { Demand, Place, Waiting } from './work.ts'

/**
 * The wait after which waiting work is refused, as a multiple of `queueTime`. It is far above the expected wait, because
 * only work that is refused on arrival is refused quickly: it takes a database that has become much slower, or a locked table.
 */
const patience = 10

/** Milliseconds of use from which unknown statements of a caller are heavy. */
const muchUse = 1_000

/**
 * Admits work to the connections of a pool: first that of the caller who has used the least time of late, and for one caller in order
 * of arrival.
 *
 * One content-type or one caller never has all connections of any kind: when a table is locked, or a client sends hundreds of
 * requests, others continue. Waiting work overtakes work whose lane is full. Statements that were slow in their last run
 * have a few connections, and so have unknown statements of callers who have used much time; unknown statements of all callers have a part.
 *
 * The queue is bounded in time and in length. Work that would wait too long is refused when it arrives, not when its
 * time is over. The last work of a caller who has used twice as much, or of whom several pieces wait, is refused in its place. The expected wait is that of Little's law,
 * `W = L / λ`: the work that waits before it, divided by the rate at which waiting work has been starting. The rate
 * includes whatever makes the process or the database slow. While a queue is new, its rate is the one that follows from how long
 * work takes.
 */
export class Admission {
  readonly #options: AdmissionOptions
  readonly #places: Places
  readonly #accounts = new Accounts<Waiting>()
  readonly #shapes = new Shapes()
  readonly #waiting = new WaitingWork((waiting, now) =>
    waiting.stop(this.#rules.refusal(waiting.account, waiting.isHeavy, now)),
  )
  readonly #running = new Running()
  readonly #rules: QueueRules

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#places = new Places(options.connections)
    this.#rules = new QueueRules(options, {
      accounts: this.#accounts,
      places: this.#places,
      waiting: this.#waiting,
      running: this.#running,
    })
  }

  /** Work that waits. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Heavy work that waits. */
  get heavyWaiting(): number {
    return this.#places.heavy.waiting
  }

  /** Work that was refused since the pool was opened. */
  get refused(): number {
    return this.#rules.refused
  }

  /** Whether a statement may use one of the few connections for heavy work only. */
  isHeavy(shape: string, caller: string | undefined): boolean {
    const isSlow = this.#shapes.isSlow(shape)
    if (isSlow !== undefined || caller === undefined) return isSlow === true
    const now = performance.now()
    return this.#accounts.of(caller, now).used(now) >= muchUse
  }

  /** Whether the duration of a statement is unknown: it has hardly run yet, or its values decide. A slow one is known. */
  isUnknown(shape: string): boolean {
    return this.#shapes.isSlow(shape) !== true && !this.#shapes.isProven(shape)
  }

  /** Learns how long the statements of a message took, which have one shape. @param milliseconds On the connection, together. */
  took(shape: string, milliseconds: number, hasFailed: boolean, statements = 1): void {
    const now = performance.now()
    // Quick statements that overtake one with other values say nothing about that one.
    const proves = !hasFailed && !this.#running.overtook(shape, now - milliseconds)
    if (this.#shapes.took({ shape, milliseconds: milliseconds / statements, hasFailed, proves }, now))
      this.#makeShapeHeavy(shape)
  }

  /**
   * Runs work when a connection is free for it.
   * @throws OctavoError `database/queue-full`, or `database/overloaded` for heavy work, when it would wait too long;
   * `database/over-share` when callers wait who have used less time; `database/abandoned` when `signal` aborts first.
   */
  async run<T>(work: () => Promise<T>, demand: Demand = {}): Promise<T> {
    const place = await new Promise<Place>((resolve, reject) => this.enter(demand, resolve, reject))
    // In the asynchronous context of the caller, not in that of the work which left its place.
    try {
      return await work()
    } finally {
      this.leave(place)
    }
  }

  /**
   * Admits work with callbacks, of which one is called, at once or later. Work that was started calls {@link leave} with its place.
   * @param refuse Receives the errors of {@link run}.
   */
  enter(demand: Demand, start: (place: Place) => void, refuse: (error: Error) => void): void {
    if (demand.signal?.aborted) {
      refuse(problem('database/abandoned', {}))
      return
    }
    const lanes = this.#places.of(demand)
    const now = performance.now()
    const account = this.#accountOf(demand, now)
    if (lanes.every(hasRoom)) {
      for (const lane of lanes) lane.running += 1
      this.#start({ lanes, demand, account }, now, start)
    } else this.#wait({ demand, lanes, account }, now, start, refuse)
  }

  leave(place: Place): void {
    const { lanes, demand, account, since } = place
    const now = performance.now()
    this.#running.remove(place)
    const { caller, callers = [] } = demand
    for (const lane of lanes) lane.end(now - since)
    if (caller !== undefined) account.end(now)
    for (const one of callers) this.#accounts.of(one, now).charge((now - since) / callers.length, now)
    this.#admit(now)
  }

  #start(
    work: Pick<Waiting, 'demand' | 'lanes' | 'account'>,
    since: number,
    start: (place: Place) => void,
  ): void {
    if (work.demand.caller !== undefined) work.account.start(since)
    start(this.#running.add(work, since))
  }

  /** The account that decides on the turn of work: of several callers, the one who has used the least. */
  #accountOf({ caller, callers = [] }: Demand, now: number): Account<Waiting> {
    const [first = this.#accounts.of(caller, now), ...others] = callers.map((one) =>
      this.#accounts.of(one, now),
    )
    return others.reduce((least, other) => (other.used(now) < least.used(now) ? other : least), first)
  }

  #wait(
    { demand, lanes, account }: Pick<Waiting, 'demand' | 'lanes' | 'account'>,
    now: number,
    start: (place: Place) => void,
    refuse: (error: Error) => void,
  ): void {
    const { heavy = false, signal } = demand
    const { queueTime, heavyTime } = this.#options
    const mayBeRefused = this.#rules.mayBeRefused(account)
    const ownTime = heavy ? heavyTime : Math.min(queueTime * patience, longestTimer)
    const longest = mayBeRefused ? ownTime : Number.POSITIVE_INFINITY
    const queue = longestOf(lanes, now)
    this.#learnFromRunning(now)
    if (mayBeRefused && this.#rules.hasNoRoom(account, queue, heavy, now)) {
      const last = this.#rules.givesWay(account, queue, now)
      if (!last) {
        refuse(this.#rules.refusalOfQueue(account, queue, demand, now))
        return
      }
      last.stop(this.#rules.refusal(last.account, last.isHeavy, now, account))
    }

    const end = (): void => signal?.removeEventListener('abort', onAbort)
    const waiting: Waiting = {
      demand,
      account,
      lanes,
      isHeavy: heavy,
      queue,
      number: this.#waiting.nextNumber(),
      until: now + longest,
      enter: (since) => {
        end()
        this.#start(waiting, since, start)
      },
      stop: (error) => {
        this.#waiting.remove(waiting)
        queue.leaveQueue()
        end()
        refuse(error)
      },
    }
    const onAbort = (): void => waiting.stop(problem('database/abandoned', {}))
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.add(waiting, now)
    queue.enterQueue(now)
  }

  /** Tells the shapes of statements that run for long: their values may decide how long they take, or a lock that others hold. */
  #learnFromRunning(now: number): void {
    this.#running.tellLong(now, (shape, milliseconds) => {
      if (this.#shapes.runsForLong(shape, milliseconds, now)) this.#makeShapeHeavy(shape)
    })
  }

  #makeShapeHeavy(shape: string): void {
    for (const waiting of this.#waiting.ofShape(shape)) if (!waiting.isHeavy) this.#makeHeavy(waiting)
  }

  #makeHeavy(waiting: Waiting): void {
    const more = this.#places.madeHeavy(waiting.demand)
    for (const lane of more) lane.waiting += 1
    waiting.lanes = [...waiting.lanes, ...more]
    waiting.isHeavy = true
  }

  #admit(now: number): void {
    while (this.#waiting.length > 0 && this.#places.all.hasRoom) {
      const next = this.#waiting.next(now)
      if (!next) return
      this.#waiting.remove(next)
      for (const lane of next.lanes) lane.running += 1
      next.queue.startWaiting(now)
      next.enter(now)
    }
  }
}
