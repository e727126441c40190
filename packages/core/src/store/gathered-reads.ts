import { LRUCache } from 'lru-cache'
import type { CancelSignal } from '../cancel-signal.ts'
import { problem } from '../error/problems.ts'
import type { Demand } from './admission.ts'
import type { BatchStatement } from './batch.ts'
import type { ExecuteOptions, Row, Statement } from './store.ts'

/** A read, and the receiver of its rows or its error, which is called once. */
export interface Read {
  readonly statement: Statement
  readonly values: BatchStatement['values']
  readonly demand: ExecuteOptions
  readonly done: (error: Error | undefined, rows: readonly Row[]) => void
}

/** The most reads that are sent together. */
const mostReads = 16

/**
 * Milliseconds that the reads of one message are expected to take together: how much longer the answer to the first may
 * take than if it had been sent alone.
 */
const longestRound = 2

/** How many times as long as expected a message takes from which its text is taken to have become slow. */
const patience = 25

/**
 * How much an estimate grows at each execution that takes longer: it doubles in 700. Most of these waited for a processor, which
 * says nothing of the read, so an estimate is the shortest time of late.
 */
const growth = 1.001

/** Texts with an estimate, and their characters. */
const knownTexts = 1_000
const knownCharacters = 4_000_000

/**
 * Gathers the reads that arrive in one turn of the event loop and differ in their values only. Most of the time of a small
 * read is in sending and receiving, on both sides, so several in one message take hardly longer than one.
 *
 * Only quick reads are gathered, since PostgreSQL runs those of a message one after the other; searches and other reads
 * whose time depends on their values are sent alone. The same text waits for the same locks, so a read never waits for a
 * lock that it does not need itself.
 */
export class Gatherer {
  readonly #send: (reads: GatheredReads) => void
  readonly #longest: number
  /** The reads of this turn, by text. */
  readonly #reads = new Map<string, Read[]>()
  /** Milliseconds that a read of this text takes at least, by recent executions: the mean of a message. */
  readonly #times = new LRUCache<string, number>({
    max: knownTexts,
    maxSize: knownCharacters,
    sizeCalculation: (_, text) => text.length + 1,
  })

  /** @param longest Milliseconds that the reads of one message are expected to take at most. */
  constructor(send: (reads: GatheredReads) => void, longest: number = longestRound) {
    this.#send = send
    this.#longest = longest
  }

  add(read: Read): void {
    const most = this.#mostOf(read)
    if (most === 1) this.#send(new GatheredReads([read]))
    else this.#gather(read, most)
  }

  /** Learns from an execution without an error. */
  took(milliseconds: number, { text, reads }: GatheredReads): void {
    const time = milliseconds / reads.length
    const known = this.#times.get(text)
    const isSlow = known === undefined || milliseconds > this.#longest * patience
    this.#times.set(text, isSlow ? time : Math.min(time, known * growth))
  }

  #gather(read: Read, most: number): void {
    const { text } = read.statement
    if (this.#reads.size === 0) setImmediate(() => this.#sendAll())
    const reads = this.#reads.get(text)
    if (!reads) this.#reads.set(text, [read])
    else if (reads.push(read) >= most) {
      this.#reads.delete(text)
      this.#send(new GatheredReads(reads))
    }
  }

  #mostOf({ statement, demand }: Read): number {
    const time = this.#times.get(statement.text)
    if (time === undefined || statement.planned || demand.heavy) return 1
    return Math.max(1, Math.min(mostReads, Math.floor(this.#longest / time)))
  }

  #sendAll(): void {
    const all = [...this.#reads.values()]
    this.#reads.clear()
    for (const reads of all) this.#send(new GatheredReads(reads))
  }
}

/** Reads with the same text that are sent in one message, each with its own answer. It aborts when all of their signals have. */
export class GatheredReads implements CancelSignal {
  readonly reads: readonly Read[]
  /** The rows of each. */
  readonly #rows: readonly Row[][]
  /** Which have their answer. */
  readonly #over: boolean[]
  /** What listens to the signal of each. */
  readonly #leave: readonly (() => void)[]
  readonly #listeners = new Set<() => void>()
  #stay: number

  /** @param reads At least one. */
  constructor(reads: readonly Read[]) {
    this.reads = reads
    this.#stay = reads.length
    this.#rows = reads.map(() => [])
    this.#over = reads.map(() => false)
    this.#leave = reads.map((_, i) => () => this.#left(i))
    for (let i = 0; i < reads.length; i++) {
      const { signal } = this.#read(i).demand
      if (signal?.aborted) this.#left(i)
      else signal?.addEventListener('abort', this.#leaving(i), { once: true })
    }
  }

  get text(): string {
    return this.#read(0).statement.text
  }

  /** Whether each execution is planned for its values. */
  get isPlanned(): boolean {
    return this.#read(0).statement.planned === true
  }

  /** That of all reads. Without a caller when they have several: then their number limits them, and their content-type. */
  get demand(): Demand {
    const { group, caller, heavy } = this.#read(0).demand
    const isShared = this.reads.every(({ demand }) => demand.caller === caller)
    return { group, caller: isShared ? caller : undefined, heavy, signal: this }
  }

  statements(name: string | undefined): readonly BatchStatement[] {
    return this.reads.map(({ statement, values }, i) => ({
      text: statement.text,
      name,
      values,
      onRow: (row) => this.#rows[i]?.push(row),
    }))
  }

  get aborted(): boolean {
    return this.#stay === 0
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  /**
   * Answers the reads that completed, and the next one with the error, if any.
   * @returns those after it, which PostgreSQL skipped.
   */
  end(error: Error | undefined, completed: number): readonly Read[] {
    for (let i = 0; i < completed; i++) this.#finish(i, undefined)
    // A connection may break after the last answer.
    if (!error || completed === this.reads.length) return []
    this.#finish(completed, error)
    return this.reads.filter((_, i) => !this.#over[i])
  }

  fail(error: Error): void {
    for (let i = 0; i < this.reads.length; i++) this.#finish(i, error)
  }

  /** The last one that leaves is answered when its statement has been cancelled. */
  #left(i: number): void {
    this.#stay -= 1
    if (this.#stay > 0) this.#finish(i, problem('database/abandoned', {}))
    else for (const listener of this.#listeners) listener()
  }

  #finish(i: number, error: Error | undefined): void {
    if (this.#over[i]) return
    this.#over[i] = true
    const { demand, done } = this.#read(i)
    demand.signal?.removeEventListener('abort', this.#leaving(i))
    done(error, this.#rows[i] ?? [])
  }

  #read(i: number): Read {
    return this.reads[i] as Read // all indexes are those of `reads`
  }

  #leaving(i: number): () => void {
    return this.#leave[i] as () => void // as above
  }
}
