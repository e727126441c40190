import type { CancelSignal } from '../cancel-signal.ts'
import { problem } from '../error/problems.ts'
import { assumedDuration, hasRoom, Lane, Lanes } from './lanes.ts'

export interface AdmissionOptions {
  /** Connections of the pool. */
  readonly connections: number
  /** Milliseconds of expected wait for a connection above which work is refused. */
  readonly queueTime: number
  /** The same for heavy work. */
  readonly heavyTime: number
}

/** Work that needs a connection. */
export interface Demand {
  /** The content-type. Work without one is limited by the number of connections only. */
  readonly group?: string | undefined
  /** Whether it is a write of many entries, which may only use a part of the connections of its content-type. Default false. */
  readonly bulk?: boolean | undefined
  /** The user, token or address that the work is for. */
  readonly caller?: string | undefined
  /** Whether it may only use one of the few connections for heavy work. Default false. */
  readonly heavy?: boolean | undefined
  readonly signal?: CancelSignal | undefined
}

/** Heavy work has one in five connections, by default one per core. */
const heavyShare = 5

/** The share of the connections that one content-type may use, so that a locked table leaves some to the others. */
const groupShare = 5 / 7

/** The share of the connections of a content-type that writes of many entries may use: they take long, and hold many locks. */
const bulkShare = 1 / 2

/** Work that may wait, for each connection. */
const waitingPerConnection = 100

/**
 * The wait after which waiting work is refused, as a multiple of `queueTime`. It is far above the expected wait, because
 * only work that is refused on arrival is refused quickly: it takes a database that has become much slower, or a locked table.
 */
const patience = 10

/** The longest time of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** The lanes that work takes a part of while it runs, and when it started, as `performance.now()`. */
export interface Place {
  readonly lanes: readonly Lane[]
  readonly since: number
}

interface Waiting {
  readonly lanes: readonly Lane[]
  /**
   * The lane whose queue it is in: of those that are full, the one with the longest wait. In the queues of the others it would
   * count as before work that passes over it.
   */
  readonly queue: Lane
  /** When it is refused, as `performance.now()`. */
  readonly until: number
  readonly enter: (now: number) => void
  readonly expire: () => void
}

/**
 * Admits work to the connections of a pool, in order of arrival.
 *
 * One content-type never has all connections, nor has one caller: when a table is locked, or a client sends hundreds of
 * requests, others go on. Work that waits passes over work whose lane is full.
 *
 * The queue is bounded in time and in length, and work that would wait too long is refused when it arrives, not when its
 * time is over. The expected wait is the one of Little's law, `W = L / λ`: the work that waits before it, divided by the
 * rate at which waiting work has been starting. The rate includes whatever makes the process or the database slow. While a
 * queue is new, its rate is the one that follows from how long work takes.
 */
export class Admission {
  readonly #all: Lane
  readonly #heavy: Lane
  readonly #groups: Lanes
  readonly #bulk: Lanes
  readonly #callers: Lanes
  readonly #options: AdmissionOptions
  /** In order of arrival. An array: the table that a Set leaves behind when it grows holds its old elements until a full collection. */
  readonly #waiting: Waiting[] = []
  /** For all work that waits: most of it starts within milliseconds, and would set and clear a timer each time. */
  #timer: NodeJS.Timeout | undefined
  /** When the timer ends. */
  #checked = Number.POSITIVE_INFINITY
  #refused = 0

  constructor(options: AdmissionOptions) {
    const { connections } = options
    this.#options = options
    this.#all = new Lane(connections, assumedDuration)
    const ofGroup = Math.max(1, Math.floor(connections * groupShare))
    this.#groups = new Lanes(ofGroup, this.#all)
    this.#bulk = new Lanes(Math.max(1, Math.floor(ofGroup * bulkShare)), this.#all)
    this.#callers = new Lanes(Math.max(1, connections - 1), this.#all)
    this.#heavy = new Lane(Math.max(1, Math.floor(connections / heavyShare)), assumedDuration)
  }

  /** Work that waits. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Heavy work that waits. */
  get heavyWaiting(): number {
    return this.#heavy.waiting
  }

  /** Work that was refused since the pool was opened. */
  get refused(): number {
    return this.#refused
  }

  /**
   * Runs work when a connection is free for it.
   * @throws OctavoError `database/queue-full`, or `database/overloaded` for heavy work, when it would wait too long;
   * `database/abandoned` when `signal` aborts first.
   */
  run<T>(work: () => Promise<T>, demand: Demand = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (place: Place): void => {
        work()
          .finally(() => this.leave(place))
          .then(resolve, reject)
      }
      this.enter(demand, start, reject)
    })
  }

  /**
   * The same with callbacks: one of them is called, at once or later. Work that was started calls {@link leave} with its place.
   * @param refuse Receives the errors of {@link run}.
   */
  enter(demand: Demand, start: (place: Place) => void, refuse: (error: Error) => void): void {
    if (demand.signal?.aborted) {
      refuse(problem('database/abandoned', {}))
      return
    }
    const lanes = this.#lanesOf(demand)
    if (lanes.every(hasRoom)) {
      for (const lane of lanes) lane.running += 1
      start({ lanes, since: performance.now() })
    } else this.#wait(lanes, demand, start, refuse)
  }

  leave({ lanes, since }: Place): void {
    const now = performance.now()
    for (const lane of lanes) lane.end(now - since)
    this.#admit(now)
  }

  #lanesOf({ group, bulk, caller, heavy }: Demand): readonly Lane[] {
    const lanes = [this.#all]
    if (group !== undefined) lanes.push(this.#groups.of(group))
    if (bulk) lanes.push(this.#bulk.of(group ?? ''))
    if (caller !== undefined) lanes.push(this.#callers.of(caller))
    if (heavy) lanes.push(this.#heavy)
    return lanes
  }

  #wait(
    lanes: readonly Lane[],
    { heavy, signal }: Demand,
    start: (place: Place) => void,
    refuse: (error: Error) => void,
  ): void {
    const { connections, queueTime, heavyTime } = this.#options
    const time = heavy ? heavyTime : queueTime
    const longest = heavy ? heavyTime : Math.min(queueTime * patience, longestTimer)
    const refusal = (): Error => {
      this.#refused += 1
      return heavy ? problem('database/overloaded', {}) : problem('database/queue-full', {})
    }
    const now = performance.now()
    const isFull = this.#waiting.length >= connections * waitingPerConnection
    const queue = longestOf(lanes, now)
    if (isFull || queue.expectedWait(now) > time) {
      refuse(refusal())
      return
    }

    const end = (): void => signal?.removeEventListener('abort', onAbort)
    const waiting: Waiting = {
      lanes,
      queue,
      until: now + longest,
      enter: (since) => {
        end()
        start({ lanes, since })
      },
      expire: () => stop(refusal),
    }
    const stop = (reason: () => Error): void => {
      const at = this.#waiting.indexOf(waiting)
      if (at === -1) return
      this.#waiting.splice(at, 1)
      for (const lane of lanes) lane.waiting -= 1
      queue.leaveQueue()
      end()
      refuse(reason())
    }
    const onAbort = (): void => stop(() => problem('database/abandoned', {}))
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.push(waiting)
    for (const lane of lanes) lane.waiting += 1
    queue.enterQueue(now)
    this.#checkAt(waiting.until, now)
  }

  /** Sets the timer, unless it ends earlier. */
  #checkAt(time: number, now: number): void {
    if (time >= this.#checked) return
    clearTimeout(this.#timer)
    this.#checked = time
    this.#timer = setTimeout(() => this.#refuseExpired(), Math.ceil(time - now))
    this.#timer.unref()
  }

  #refuseExpired(): void {
    this.#checked = Number.POSITIVE_INFINITY
    const now = performance.now()
    for (const { until, expire } of [...this.#waiting]) {
      if (until <= now) expire()
      else this.#checkAt(until, now)
    }
  }

  /** Starts the work that waits longest of that whose lanes have room. */
  #admit(now: number): void {
    for (let at = 0; at < this.#waiting.length && this.#all.hasRoom; ) {
      const waiting = this.#waiting[at]
      if (!waiting?.lanes.every(hasRoom)) {
        at += 1
        continue
      }
      this.#waiting.splice(at, 1)
      for (const lane of waiting.lanes) {
        lane.waiting -= 1
        lane.running += 1
      }
      waiting.queue.startWaiting(now)
      waiting.enter(now)
    }
  }
}

/** The full lane with the longest wait; of equal ones, the one for the least work. At least one is full. */
function longestOf(lanes: readonly Lane[], now: number): Lane {
  const full = lanes.filter((lane) => !lane.hasRoom)
  return full.reduce((one, other) => (one.expectedWait(now) > other.expectedWait(now) ? one : other))
}
