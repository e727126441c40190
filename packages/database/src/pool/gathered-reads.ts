import type { Demand } from '../admission/work.ts'
import type { CancelSignal } from '../cancel-signal.ts'
import { problem } from '../error/problems.ts'
import type { ExecuteOptions, Row, Statement } from '../store/store.ts'
import type { BatchStatement } from '../wire/batch.ts'

/** A read, and the receiver of its rows or its error, which is called once. */
export interface Read {
  readonly statement: Statement
  readonly values: BatchStatement['values']
  readonly demand: ExecuteOptions
  readonly done: (error: Error | undefined, rows: readonly Row[]) => void
}

/**
 * Whether a read may be sent with others. The time of a search depends on its values, and heavy reads are admitted by themselves.
 */
export const mayBeGathered = ({ statement, demand }: Read): boolean => !statement.planned && !demand.heavy

const haveSameValues = (one: BatchStatement['values'], other: BatchStatement['values']): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i])

/**
 * A statement of a message, with the reads that it answers: those of its text and values, since all of them arrived before it is sent. It
 * forgets a read that has its answer, and never refers to its message: V8 would keep whole requests until a full collection.
 */
export class SharedRead implements BatchStatement {
  readonly statement: Statement
  readonly values: BatchStatement['values']
  name: string | undefined
  #reads: Read[]
  readonly #rows: Row[] = []
  readonly onRow = (row: Row): void => {
    this.#rows.push(row)
  }

  constructor(read: Read) {
    this.statement = read.statement
    this.values = read.values
    this.#reads = [read]
  }

  get text(): string {
    return this.statement.text
  }

  /** The reads without an answer. */
  get reads(): readonly Read[] {
    return this.#reads
  }

  /** Takes the reads of another statement of the same text. @returns whether its values are the same */
  join(other: SharedRead): boolean {
    if (!haveSameValues(this.values, other.values)) return false
    this.#reads.push(...other.#reads)
    return true
  }

  /** Whether the clients of all its reads have gone. */
  get isAbandoned(): boolean {
    return this.#reads.every(({ demand }) => demand.signal?.aborted)
  }

  /** Answers the reads whose clients have gone. */
  dismissGone(): void {
    const gone = this.#reads.filter(({ demand }) => demand.signal?.aborted)
    this.#reads = this.#reads.filter((read) => !gone.includes(read))
    for (const { done } of gone) done(problem('database/abandoned', {}), [])
  }

  /** Answers its reads with the rows, or the error. */
  finish(error: Error | undefined): void {
    const reads = this.#reads
    this.#reads = []
    for (const { done } of reads) done(error, this.#rows)
  }
}

/** Statements with the same text that are sent in one message, each with its own answer. It aborts when the clients of all reads have gone. */
export class GatheredReads implements CancelSignal {
  readonly #members: readonly SharedRead[]
  readonly #listeners: (() => void)[] = []
  readonly #statement: Statement
  readonly #group: string | undefined
  readonly #heavy: boolean | undefined
  /** The callers of the reads, of those that have one. */
  readonly #callers: string[] = []
  #isMixed = false
  readonly #onAbort = (): void => {
    // The last ones are answered when their statements have been cancelled.
    if (this.aborted) for (const listener of [...this.#listeners]) listener()
    else for (const member of this.#members) member.dismissGone()
  }

  /** @param members With the same text. At least one. */
  constructor(members: readonly SharedRead[]) {
    const first = members[0]?.reads[0]
    if (!first) throw new Error('A message has at least one read')
    const { caller, group, heavy } = first.demand
    this.#statement = first.statement
    this.#group = group
    this.#heavy = heavy
    this.#members = members
    for (const { reads } of members) for (const { demand } of reads) this.#note(demand, caller)
    if (members.some(({ reads }) => reads.some(({ demand }) => demand.signal?.aborted))) this.#onAbort()
  }

  #note({ caller, signal }: ExecuteOptions, first: string | undefined): void {
    if (caller !== undefined) this.#callers.push(caller)
    this.#isMixed ||= caller !== first
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Statements. */
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

  /** The demand that all gathered reads share. Reads of several callers are limited by the number of callers and by their content-type. */
  get demand(): Demand {
    return {
      group: this.#group,
      ...(this.#isMixed ? { callers: this.#callers } : { caller: this.#callers[0] }),
      heavy: this.#heavy,
      shape: this.text,
      signal: this,
    }
  }

  statements(name: string | undefined): readonly BatchStatement[] {
    for (const member of this.#members) member.name = name
    return this.#members
  }

  get aborted(): boolean {
    return this.#members.every(({ isAbandoned }) => isAbandoned)
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at !== -1) this.#listeners.splice(at, 1)
  }

  /**
   * Answers the reads of the statements that completed, and of the next one with the error, if any.
   * @returns the statements after it, which PostgreSQL skipped, as far as their reads have no answer.
   */
  end(error: Error | undefined, completed: number): readonly SharedRead[] {
    this.#forgetSignals()
    for (const member of this.#members.slice(0, completed)) member.finish(undefined)
    if (!error) return []
    // A connection may also break after the last answer.
    this.#members[completed]?.finish(error)
    return this.#members.filter(({ reads }) => reads.length > 0)
  }

  fail(error: Error): void {
    this.#forgetSignals()
    for (const member of this.#members) member.finish(error)
  }

  #forgetSignals(): void {
    for (const { reads } of this.#members)
      for (const { demand } of reads) demand.signal?.removeEventListener('abort', this.#onAbort)
  }
}
