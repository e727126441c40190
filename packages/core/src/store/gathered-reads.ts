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

/** Texts that are gathered in one turn. They are looked through at each read. */
const mostTexts = 32

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
  /** Those of this turn. An array: the old tables of a Map stay in memory until a full collection. */
  #turn: GatheredReads[] = []
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
    if (most === 1) this.#send(new GatheredReads(read))
    else this.#gather(read, most)
  }

  /** Learns from an execution without an error. */
  took(milliseconds: number, { text, size }: GatheredReads): void {
    const time = milliseconds / size
    const known = this.#times.get(text)
    const isSlow = known === undefined || milliseconds > this.#longest * patience
    this.#times.set(text, isSlow ? time : Math.min(time, known * growth))
  }

  #gather(read: Read, most: number): void {
    const { text } = read.statement
    const known = this.#turn.find((reads) => reads.text === text && reads.size < most)
    if (known) known.add(read)
    else {
      if (this.#turn.length === mostTexts) this.#sendAll()
      if (this.#turn.length === 0) setImmediate(() => this.#sendAll())
      this.#turn.push(new GatheredReads(read))
    }
  }

  #mostOf({ statement, demand }: Read): number {
    const time = this.#times.get(statement.text)
    if (time === undefined || statement.planned || demand.heavy) return 1
    return Math.max(1, Math.min(mostReads, Math.floor(this.#longest / time)))
  }

  #sendAll(): void {
    const turn = this.#turn
    this.#turn = []
    for (const reads of turn) this.#send(reads)
  }
}

/**
 * One of several reads in a message: a statement of it. It forgets the read when that has its answer, and never refers to its message:
 * V8 would keep whole requests until a full collection.
 */
class Member implements BatchStatement {
  /** `undefined` when it has its answer. */
  read: Read | undefined
  hasLeft = false
  readonly rows: Row[] = []
  readonly text: string
  readonly values: BatchStatement['values']
  name: string | undefined
  readonly onRow = (row: Row): void => {
    this.rows.push(row)
  }

  constructor(read: Read) {
    this.read = read
    this.text = read.statement.text
    this.values = read.values
  }
}

/** Reads with the same text that are sent in one message, each with its own answer. It aborts when all of their signals have. */
export class GatheredReads implements CancelSignal {
  readonly #members: Member[] = []
  readonly #listeners: (() => void)[] = []
  /** Reads whose clients have not gone. */
  #staying = 0
  readonly #group: string | undefined
  readonly #heavy: boolean | undefined
  #caller: string | undefined
  readonly #statement: Statement
  readonly #onAbort = (): void => {
    for (const member of this.#members) {
      if (member.hasLeft || !member.read?.demand.signal?.aborted) continue
      member.hasLeft = true
      this.#staying -= 1
      // The last one that leaves is answered when its statement has been cancelled.
      if (this.#staying > 0) this.#finish(member, problem('database/abandoned', {}))
    }
    if (this.#staying === 0) for (const listener of [...this.#listeners]) listener()
  }

  constructor(first: Read) {
    const { group, caller, heavy } = first.demand
    this.#statement = first.statement
    this.#group = group
    this.#heavy = heavy
    this.#caller = caller
    this.add(first)
  }

  /** @param read With the text of the first, before the message is sent. */
  add(read: Read): void {
    const { signal, caller } = read.demand
    this.#members.push(new Member(read))
    this.#staying += 1
    if (caller !== this.#caller) this.#caller = undefined
    if (signal?.aborted) this.#onAbort()
    else signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  get size(): number {
    return this.#members.length
  }

  get text(): string {
    return this.#statement.text
  }

  /** Whether each execution is planned for its values. */
  get isPlanned(): boolean {
    return this.#statement.planned === true
  }

  /** That of all reads. Without a caller when they have several: then their number limits them, and their content-type. */
  get demand(): Demand {
    return { group: this.#group, caller: this.#caller, heavy: this.#heavy, signal: this }
  }

  statements(name: string | undefined): readonly BatchStatement[] {
    for (const member of this.#members) member.name = name
    return this.#members
  }

  get aborted(): boolean {
    return this.#staying === 0
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at !== -1) this.#listeners.splice(at, 1)
  }

  /**
   * Answers the reads that completed, and the next one with the error, if any.
   * @returns those after it, which PostgreSQL skipped.
   */
  end(error: Error | undefined, completed: number): readonly Read[] {
    for (const member of this.#members.slice(0, completed)) this.#finish(member, undefined)
    if (!error) return []
    const failed = this.#members[completed]
    // A connection may also break after the last answer.
    if (failed) this.#finish(failed, error)
    return this.#members.flatMap(({ read }) => read ?? [])
  }

  fail(error: Error): void {
    for (const member of this.#members) this.#finish(member, error)
  }

  #finish(member: Member, error: Error | undefined): void {
    const { read, rows } = member
    if (!read) return
    member.read = undefined
    read.demand.signal?.removeEventListener('abort', this.#onAbort)
    read.done(error, rows)
  }
}
