/** Milliseconds after which a start counts 1/e in the rate of starts. */
const memory = 1_000

/**
 * Starts that a new queue is assumed to have had before it formed; they are forgotten like others. They keep a queue from
 * refusing work before its rate is known.
 */
const assumedStarts = 10

/** A limit on the work of one kind that runs at once, with the rate at which waiting work of this kind starts. */
export class Lane {
  readonly #limit: number
  running = 0
  #waiting = 0
  /** When the queue formed. */
  #since = 0
  /** The starts of waiting work, each with its weight at the time `#mark`. */
  #starts = 0
  #mark = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get hasRoom(): boolean {
    return this.running < this.#limit
  }

  get waiting(): number {
    return this.#waiting
  }

  get isUnused(): boolean {
    return this.running === 0 && this.#waiting === 0
  }

  /** Milliseconds. It grows while nothing starts. */
  expectedWait(now: number): number {
    if (this.#waiting === 0) return 0
    const observed = memory * (1 - Math.exp((this.#since - now) / memory))
    return ((this.#waiting + 1) * observed) / this.#startsAt(now)
  }

  enterQueue(now: number): void {
    if (this.#waiting === 0) {
      this.#since = now
      this.#mark = now
      this.#starts = assumedStarts
    }
    this.#waiting += 1
  }

  leaveQueue(): void {
    this.#waiting -= 1
  }

  startWaiting(now: number): void {
    this.#waiting -= 1
    this.#starts = this.#startsAt(now) + 1
    this.#mark = now
  }

  #startsAt(now: number): number {
    return this.#starts * Math.exp((this.#mark - now) / memory)
  }
}

export const hasRoom = (lane: Lane): boolean => lane.hasRoom

/** Names with a lane above which the unused lanes are dropped. */
const manyLanes = 10_000

/** Lanes with the same limit, by name. A name has a lane as long as it has work. */
export class Lanes {
  readonly #limit: number
  readonly #lanes = new Map<string, Lane>()

  constructor(limit: number) {
    this.#limit = limit
  }

  of(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (!lane) {
      if (this.#lanes.size >= manyLanes) this.#dropUnused()
      lane = new Lane(this.#limit)
      this.#lanes.set(name, lane)
    }
    return lane
  }

  /** All at once, now and then: a Map from which each request deletes is copied every few requests. */
  #dropUnused(): void {
    for (const [name, lane] of this.#lanes) if (lane.isUnused) this.#lanes.delete(name)
  }
}
