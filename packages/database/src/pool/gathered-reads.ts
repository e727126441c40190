import type { Demand } from '../admission/admission.ts'
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
  /** The callers of the reads, of those that have one. */
  readonly #callers: string[] = []
  #isMixed = false
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

  /** @param reads With the same text. At least one. */
  constructor(reads: readonly Read[]) {
    const [first] = reads
    if (!first) throw new Error('A message has at least one read')
    const { group, heavy } = first.demand
    this.#statement = first.statement
    this.#group = group
    this.#heavy = heavy
    for (const read of reads) this.#add(read)
  }

  #add(read: Read): void {
    const { signal, caller } = read.demand
    this.#members.push(new Member(read))
    this.#staying += 1
    if (caller !== undefined) this.#callers.push(caller)
    this.#isMixed ||= caller !== this.#members[0]?.read?.demand.caller
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

  /** The demand that all gathered reads share. Reads of several callers are limited by the number of callers and by their content-type. */
  get demand(): Demand {
    return {
      group: this.#group,
      ...(this.#isMixed ? { callers: this.#callers } : { caller: this.#callers[0] }),
      heavy: this.#heavy,
      shape: this.#statement.text,
      signal: this,
    }
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
