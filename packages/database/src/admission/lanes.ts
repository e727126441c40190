/** Milliseconds after which a start counts 1/e in the rate of starts. */
const memory = 1_000

/**
 * Starts that a new queue is assumed to have had before it formed, at the rate that follows from the duration of work; they are forgotten like
 * others. They are the estimate of a queue whose rate is not known yet: of a thousand requests that arrive at once.
 */
const assumedStarts = 10

/** Milliseconds that work is assumed to take before any has ended. */
export const assumedDuration = 50

/** The weight of the newest duration in the mean. */
const newest = 1 / 8

/** A limit on the work of one kind that runs at once, with the rate at which waiting work of this kind starts. */
export class Lane {
  readonly #limit: number
  running = 0
  /** Work that waits, in its queue or in that of another lane. */
  waiting = 0
  /** Work in its queue. */
  #queued = 0
  /** When the queue formed. */
  #since = 0
  /** The mean duration of work, in milliseconds. */
  #duration: number
  /** Milliseconds that the assumed starts took. */
  #assumedTime = 0
  /** The starts of waiting work, each with its weight at the time `#mark`. */
  #starts = 0
  #mark = 0

  /** @param duration Of work that is like its own, in milliseconds. */
  constructor(limit: number, duration: number) {
    this.#limit = limit
    this.#duration = duration
  }

  get duration(): number {
    return this.#duration
  }

  get hasRoom(): boolean {
    return this.running < this.#limit
  }

  get isUnused(): boolean {
    return this.running === 0 && this.waiting === 0
  }

  /** Milliseconds. It grows while nothing starts. */
  expectedWait(now: number): number {
    if (this.#queued === 0) return 0
    const forgotten = Math.exp((this.#since - now) / memory)
    const observed = memory * (1 - forgotten) + this.#assumedTime * forgotten
    return ((this.#queued + 1) * observed) / this.#startsAt(now)
  }

  /** Milliseconds for which work has been waiting in its queue, without a pause. */
  hasQueuedFor(now: number): number {
    return this.#queued === 0 ? 0 : now - this.#since
  }

  enterQueue(now: number): void {
    if (this.#queued === 0) {
      this.#since = now
      this.#mark = now
      this.#starts = assumedStarts
      this.#assumedTime = (assumedStarts * this.#duration) / this.#limit
    }
    this.#queued += 1
  }

  leaveQueue(): void {
    this.#queued -= 1
  }

  startWaiting(now: number): void {
    this.#queued -= 1
    this.#starts = this.#startsAt(now) + 1
    this.#mark = now
  }

  /**
   * Counts a duration in the mean, at most as twice the mean: work that waited for a lock is no measure for other work.
   * @param duration Milliseconds.
   */
  end(duration: number): void {
    this.running -= 1
    this.#duration += (Math.min(duration, 2 * this.#duration) - this.#duration) * newest
  }

  #startsAt(now: number): number {
    return this.#starts * Math.exp((this.#mark - now) / memory)
  }
}

export const hasRoom = (lane: Lane): boolean => lane.hasRoom

/** The full lane with the longest wait; of equal ones, the one for the least work. At least one is full. */
export function longestOf(lanes: readonly Lane[], now: number): Lane {
  const full = lanes.filter((lane) => !lane.hasRoom)
  return full.reduce((one, other) => (one.expectedWait(now) > other.expectedWait(now) ? one : other))
}

/** Names with a lane above which the unused lanes are dropped. */
const manyLanes = 10_000

/** Lanes with the same limit, by name. A name has a lane as long as it has work. */
export class Lanes {
  readonly #limit: number
  readonly #all: Lane
  readonly #lanes = new Map<string, Lane>()

  /** @param all The lane of all work, whose durations new lanes assume. */
  constructor(limit: number, all: Lane) {
    this.#limit = limit
    this.#all = all
  }

  of(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (!lane) {
      if (this.#lanes.size >= manyLanes) this.#dropUnused()
      lane = new Lane(this.#limit, this.#all.duration)
      this.#lanes.set(name, lane)
    }
    return lane
  }

  /** All at once, now and then: a Map from which each request deletes is copied every few requests. */
  #dropUnused(): void {
    for (const [name, lane] of this.#lanes) if (lane.isUnused) this.#lanes.delete(name)
  }
}
