import { problem } from '../error/problems.ts'
import { type Account, Accounts } from './accounts.ts'
import { hasRoom, type Lane } from './lanes.ts'
import { type AdmissionOptions, standing } from './options.ts'
import { Places } from './places.ts'
import { noteRefusal, withoutStack } from './refusals.ts'
import { Running } from './running.ts'
import { Shapes } from './shapes.ts'
import { displacedBy, isNext, isOverShare, stepOf } from './shares.ts'
import type { Demand, Place, Waiting } from './work.ts'

const defaultWaiting = 100

/**
 * The wait after which waiting work is refused, as a multiple of `queueTime`. It is far above the expected wait, because
 * only work that is refused on arrival is refused quickly: it takes a database that has become much slower, or a locked table.
 */
const patience = 10

/** How many times as long as work of its kind takes heavy work may wait. */
const heavyWaits = 4

/** The longest time of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** Milliseconds of use from which unknown statements of a caller are heavy. */
const muchUse = 1_000

/**
 * Admits work to the connections of a pool: first that of the caller who has used the least time of late, and for one caller in order
 * of arrival.
 *
 * Neither one content-type nor one caller has all connections, of any kind: when a table is locked, or a client sends hundreds of
 * requests, others go on. Work that waits passes over work whose lane is full. Statements that were slow when they ran last
 * have a few connections, and so have unknown statements of callers who have used much time; unknown statements of all callers have a part.
 *
 * The queue is bounded in time and in length, and work that would wait too long is refused when it arrives, not when its
 * time is over; or the last work of a caller who has used twice as much, or has more waiting than one piece, is refused in its place. The expected wait is the one of Little's law,
 * `W = L / λ`: the work that waits before it, divided by the rate at which waiting work has been starting. The rate
 * includes whatever makes the process or the database slow. While a queue is new, its rate is the one that follows from how long
 * work takes.
 */
export class Admission {
  readonly #options: AdmissionOptions
  readonly #places: Places
  readonly #accounts = new Accounts<Waiting>()
  readonly #shapes = new Shapes()
  /** The accounts with work that waits. */
  readonly #queued: Account<Waiting>[] = []
  readonly #running = new Running()
  #waiting = 0
  /** Work that has waited since the pool was opened. */
  #number = 0
  /** For all work that waits: most of it starts within milliseconds, and would set and clear a timer each time. */
  #timer: NodeJS.Timeout | undefined
  /** When the timer ends. */
  #checked = Number.POSITIVE_INFINITY
  #refused = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#places = new Places(options.connections)
  }

  /** Work that waits. */
  get waiting(): number {
    return this.#waiting
  }

  /** Heavy work that waits. */
  get heavyWaiting(): number {
    return this.#places.heavy.waiting
  }

  /** Work that was refused since the pool was opened. */
  get refused(): number {
    return this.#refused
  }

  /** Whether a statement may use one of the few connections for heavy work only. */
  isHeavy(shape: string, caller: string | undefined): boolean {
    const isSlow = this.#shapes.isSlow(shape)
    if (isSlow !== undefined || caller === undefined) return isSlow === true
    const now = performance.now()
    return this.#accounts.of(caller, now).used(now) >= muchUse
  }

  /** Whether nobody knows how long a statement will take: it has hardly run yet, or its values decide. A slow one is known. */
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
    const mayBeRefused = this.#mayBeRefused(account)
    const ownTime = heavy ? heavyTime : Math.min(queueTime * patience, longestTimer)
    const longest = mayBeRefused ? ownTime : Number.POSITIVE_INFINITY
    const queue = longestOf(lanes, now)
    this.#learnFromRunning(now)
    if (mayBeRefused && this.#hasNoRoom(account, queue, heavy, now)) {
      const last = this.#givesWay(account, queue, now)
      if (!last) {
        refuse(this.#refusalOfQueue(account, queue, demand, now))
        return
      }
      last.stop(this.#refusal(last.account, last.isHeavy, now, account))
    }

    const end = (): void => signal?.removeEventListener('abort', onAbort)
    const waiting: Waiting = {
      demand,
      account,
      lanes,
      isHeavy: heavy,
      queue,
      number: this.#number++,
      until: now + longest,
      enter: (since) => {
        end()
        this.#start(waiting, since, start)
      },
      stop: (error) => {
        this.#remove(waiting)
        queue.leaveQueue()
        end()
        refuse(error)
      },
    }
    const onAbort = (): void => waiting.stop(problem('database/abandoned', {}))
    signal?.addEventListener('abort', onAbort, { once: true })
    if (account.waiting.length === 0) this.#queued.push(account)
    account.waiting.push(waiting)
    this.#waiting += 1
    for (const lane of lanes) lane.waiting += 1
    queue.enterQueue(now)
    this.#checkAt(waiting.until, now)
  }

  #mayBeRefused(account: Account<Waiting>): boolean {
    return this.#options.refusesOwn !== false || account !== this.#accounts.own
  }

  /** Whether as much work waits as may wait. */
  get #isFull(): boolean {
    const { connections, waitingPerConnection = defaultWaiting } = this.#options
    return this.#waiting >= connections * waitingPerConnection
  }

  /** Whether work would wait too long in a queue. */
  #isLong(queue: Lane, isHeavy: boolean, now: number): boolean {
    const { queueTime, heavyTime, unrefused } = this.#options
    const isStanding = queue.hasQueuedFor(now) > queueTime
    if (unrefused && this.#waiting < (isStanding ? unrefused.standing : unrefused.burst)) return false
    const { times, least, most } = standing
    const lasting = Math.max(queueTime * least, Math.min(queueTime * most, queue.duration * times))
    const allowed = isStanding ? lasting : queueTime
    const ofHeavy = Math.min(heavyTime, Math.max(allowed, heavyWaits * this.#places.heavy.duration))
    return queue.expectedWait(now) > (isHeavy ? ofHeavy : allowed)
  }

  /** Whether work of a caller may not wait in a queue, unless other work gives way to it. */
  #hasNoRoom(account: Account<Waiting>, queue: Lane, isHeavy: boolean, now: number): boolean {
    return this.#isFull || (this.#isLong(queue, isHeavy, now) && !this.#isNext(account, now))
  }

  /** Whether the turn of a caller who has used much less than others comes soon, however much work of theirs waits and runs. */
  #isNext(account: Account<Waiting>, now: number): boolean {
    const { own } = this.#accounts
    const running = this.#running.accounts.filter((other) => other !== own)
    const queued = this.#queued.filter((other) => other !== own)
    return account !== own && isNext(account, queued, running, this.#options.connections, now)
  }

  /** The work that gives way to work of a caller, if any. */
  #givesWay(account: Account<Waiting>, queue: Lane, now: number): Waiting | undefined {
    const isFull = this.#isFull
    const isThere = (waiting: Waiting): boolean =>
      this.#mayBeRefused(waiting.account) && (isFull || waiting.queue === queue)
    return displacedBy(account, this.#queued, isThere, now)
  }

  /** Tells the shapes of statements that run for long: their values may decide how long they take, or a lock that others hold. */
  #learnFromRunning(now: number): void {
    this.#running.tellLong(now, (shape, milliseconds) => {
      if (this.#shapes.runsForLong(shape, milliseconds, now)) this.#makeShapeHeavy(shape)
    })
  }

  #makeShapeHeavy(shape: string): void {
    for (const { waiting } of this.#queued)
      for (const one of waiting) if (one.demand.shape === shape && !one.isHeavy) this.#makeHeavy(one)
  }

  /** The refusal of work that arrives at a queue, which knows for how long it holds. */
  #refusalOfQueue(account: Account<Waiting>, queue: Lane, demand: Demand, now: number): Error {
    const { heavy = false, unknown = false } = demand
    const error = this.#refusal(account, heavy, now)
    noteRefusal(error, {
      isNarrow: heavy || unknown,
      refuses: () => {
        const time = performance.now()
        return this.#hasNoRoom(account, queue, heavy, time) && !this.#givesWay(account, queue, time)
      },
      noteRefused: () => {
        this.#refused += 1
      },
    })
    return error
  }

  /** @param arriving Who else waits from now on. */
  #refusal(account: Account<Waiting>, isHeavy: boolean, now: number, arriving = account): Error {
    this.#refused += 1
    return withoutStack(() => {
      const callers = new Set([...this.#queued, account, arriving])
      // The work of the server itself is charged to nobody.
      callers.delete(this.#accounts.own)
      if (isOverShare(account, callers, now)) return problem('database/over-share', {})
      return isHeavy ? problem('database/overloaded', {}) : problem('database/queue-full', {})
    })
  }

  #makeHeavy(waiting: Waiting): void {
    const more = this.#places.madeHeavy(waiting.demand)
    for (const lane of more) lane.waiting += 1
    waiting.lanes = [...waiting.lanes, ...more]
    waiting.isHeavy = true
  }

  #remove(waiting: Waiting): void {
    const { account, lanes } = waiting
    account.waiting.splice(account.waiting.indexOf(waiting), 1)
    if (account.waiting.length === 0) this.#queued.splice(this.#queued.indexOf(account), 1)
    this.#waiting -= 1
    for (const lane of lanes) lane.waiting -= 1
  }

  /** Sets the timer, unless it ends earlier. */
  #checkAt(time: number, now: number): void {
    if (time >= this.#checked) return
    clearTimeout(this.#timer)
    this.#checked = time
    this.#timer = setTimeout(() => this.#refuseExpired(), Math.min(Math.ceil(time - now), longestTimer))
    this.#timer.unref()
  }

  #refuseExpired(): void {
    this.#checked = Number.POSITIVE_INFINITY
    const now = performance.now()
    for (const waiting of this.#queued.flatMap((account) => account.waiting)) {
      if (waiting.until <= now) waiting.stop(this.#refusal(waiting.account, waiting.isHeavy, now))
      else this.#checkAt(waiting.until, now)
    }
  }

  #admit(now: number): void {
    while (this.#waiting > 0 && this.#places.all.hasRoom) {
      const next = this.#next(now)
      if (!next) return
      this.#remove(next)
      for (const lane of next.lanes) lane.running += 1
      next.queue.startWaiting(now)
      next.enter(now)
    }
  }

  /** Of the work whose lanes have room, the first of the caller who has used the least, in steps; of equal callers, the first to arrive. */
  #next(now: number): Waiting | undefined {
    let next: Waiting | undefined
    let least = Number.POSITIVE_INFINITY
    for (const account of this.#queued) {
      const used = stepOf(account.used(now))
      if (used > least) continue
      const first = account.waiting.find(({ lanes }) => lanes.every(hasRoom))
      if (!first || (next && used === least && next.number < first.number)) continue
      next = first
      least = used
    }
    return next
  }
}

/** The full lane with the longest wait; of equal ones, the one for the least work. At least one is full. */
function longestOf(lanes: readonly Lane[], now: number): Lane {
  const full = lanes.filter((lane) => !lane.hasRoom)
  return full.reduce((one, other) => (one.expectedWait(now) > other.expectedWait(now) ? one : other))
}
