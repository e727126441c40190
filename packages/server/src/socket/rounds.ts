import { performance } from 'node:perf_hooks'
import { networkOfSender, type Sent } from './sender.ts'

/** Milliseconds for which the process must have had no pause before it refuses anything: what a burst brings in less is answered. */
const patience = 250

/** Long rounds, one after the other, before it refuses anything: after a single one, such as a stall, the requests of that time are answered. */
const longRounds = 4

/**
 * Requests without an answer up to which further ones are taken in: a process that gets little of its processors has long rounds with few requests,
 * whose refusal would help nobody.
 */
const fewest = 32

/**
 * The part of `busyRound` in which a round takes in requests, once some were refused. The database waits for the end of a round before it gets the next
 * statements, so that long ones leave it idle.
 */
const partOfPressed = 2 / 5

/**
 * Requests of one round from which the round is judged before its end: it may be without one. The system tells of 1,024 sockets at once, and as long as it tells of so many,
 * libuv asks for more in the same round.
 */
const endless = 1_024

/** Milliseconds of rest in a round of the event loop that count as a pause. */
const pause = 1

/** Senders that are counted in a second, at most. */
const manySenders = 10_000

/** The time of the event loop, in milliseconds. */
export interface LoopTime {
  readonly now: () => number
  /** For how long the loop has waited for something to do. It does so once in a round, before the first event. */
  readonly idle: () => number
}

const timeOfLoop: LoopTime = {
  now: () => performance.now(),
  idle: () => performance.eventLoopUtilization().idle,
}

export interface RoundOptions {
  /** Milliseconds of work in one round of the event loop after which further requests of the round are refused; `Infinity`: never. */
  readonly busyRound: number
  /** Number of proxies in front of the server, by which a sender is known. */
  readonly proxies: number
  /** Default: that of the process. */
  readonly time?: LoopTime
  /** Calls back at the end of the round. Default `setImmediate`. */
  readonly atEnd?: (callback: () => void) => void
}

/**
 * The rounds of the event loop: whether the process itself has more to do than it can. Such requests wait in their sockets, where no queue of the
 * database sees them, and each that is begun makes all others slower, checks of health too.
 *
 * A round of the event loop takes in requests for a limited time, once there was no pause for {@link patience} and several {@link longRounds}, until there is a pause or
 * a round that refuses none. For as long again it takes in those of senders with less than half of the mean number of requests, so that one who sends many keeps out nobody else.
 */
export class Rounds {
  readonly #options: Required<RoundOptions>
  /** The end of the last round in which a request arrived, and the rest until then. */
  #mark = { now: 0, idle: 0 }
  /** The rest in this round, and when its first request arrived. */
  #rest = 0
  #began = 0
  /** Requests of this round, and those of them that were refused. */
  #arrived = 0
  #refused = 0
  /** Requests without an answer. */
  #open = 0
  /** Rounds since the last pause, or the last short one that refused nothing. */
  #longRounds = 0
  /** The last pause. */
  #rested = Number.NEGATIVE_INFINITY
  /** Requests by sender in this second and in the one before. */
  #counts = new Map<string, number>()
  #former = new Map<string, number>()
  #total = 0
  #formerTotal = 0
  #second = 0

  constructor({ time = timeOfLoop, atEnd = setImmediate, ...options }: RoundOptions) {
    this.#options = { time, atEnd, ...options }
  }

  /** Whether a request of this round may be refused. */
  get isPressed(): boolean {
    return this.#longRounds >= longRounds || this.#arrived >= endless
  }

  /** A request was taken in. */
  began(): void {
    this.#open += 1
  }

  /** A request that was taken in has its answer, or its client has gone. */
  ended(): void {
    this.#open -= 1
  }

  /** Whether there is time for a request that arrives now. While {@link fewest} or less have no answer there always is. */
  hasTimeFor(request: Sent): boolean {
    const { busyRound, time } = this.#options
    if (busyRound === Number.POSITIVE_INFINITY) return true
    const now = time.now()
    if (this.#arrived === 0) this.#begin(now)
    this.#arrived += 1
    const isPressed =
      (this.#longRounds >= longRounds && now - this.#rested >= patience) || this.#isEndless(now)
    const isModest = isPressed && this.#isModest(request, now)
    const worked = now - this.#mark.now - this.#rest
    const limit = busyRound * partOfPressed
    if (!isPressed || this.#open <= fewest || worked < limit || (isModest && worked < 2 * limit)) return true
    this.#refused += 1
    return false
  }

  #begin(now: number): void {
    const { time, atEnd } = this.#options
    this.#rest = time.idle() - this.#mark.idle
    this.#began = now
    if (this.#rest >= pause || this.#rested === Number.NEGATIVE_INFINITY) this.#rested = now
    atEnd(() => this.#end())
  }

  /** Whether this round takes in so many requests for so long that its end may be far. */
  #isEndless(now: number): boolean {
    return this.#arrived >= endless && now - this.#began >= patience
  }

  #end(): void {
    const { time, busyRound } = this.#options
    const now = time.now()
    const idle = time.idle()
    const isBusy = this.#refused > 0 || now - this.#mark.now >= busyRound
    const isLong = isBusy && idle - this.#mark.idle < pause
    if (this.#isEndless(now)) this.#longRounds = longRounds
    else this.#longRounds = isLong ? this.#longRounds + 1 : 0
    this.#mark = { now, idle }
    this.#arrived = 0
    this.#refused = 0
  }

  /** Counts the request. @returns whether its sender has sent less than half of the mean, in the second before. */
  #isModest(request: Sent, now: number): boolean {
    const second = Math.floor(now / 1_000)
    if (second !== this.#second) {
      const isNext = second === this.#second + 1
      this.#former = isNext ? this.#counts : new Map()
      this.#formerTotal = isNext ? this.#total : 0
      this.#counts = new Map()
      this.#total = 0
      this.#second = second
    }
    const sender = networkOfSender(request, this.#options.proxies)
    this.#total += 1
    const count = (this.#counts.get(sender) ?? 0) + 1
    if (count > 1 || this.#counts.size < manySenders) this.#counts.set(sender, count)
    const mean = this.#formerTotal / Math.max(1, this.#former.size)
    return Math.max(count, this.#former.get(sender) ?? 0) < mean / 2
  }
}
