import { OctavoError } from '../error/octavo-error.ts'

/** A limit on the time of a transaction, whose work may never end. */
export class TransactionTime {
  readonly #milliseconds: number
  readonly #over: () => Error
  /** When it is over; a transaction that is repeated gets no more time. */
  #end: number | undefined
  #isFinished = false
  #timer: NodeJS.Timeout | undefined

  /** @param milliseconds Infinity: no limit. @param over Makes the error of work that takes longer. */
  constructor(milliseconds: number, over: () => Error) {
    this.#milliseconds = milliseconds
    this.#over = over
  }

  /** Refuses statements of work that continues after its time. Called before each statement. */
  check(): void {
    if (!this.#isFinished && this.#end !== undefined && performance.now() > this.#end) throw this.#over()
  }

  /** Ends the limit, since the next statement commits: after it the work cannot be refused any more. */
  finish(): void {
    this.check()
    this.#isFinished = true
    clearTimeout(this.#timer)
  }

  /**
   * The error of a transaction that has failed: that of this limit when its time is over, since a busy process may notice the limit between two
   * statements first.
   */
  errorOf(error: unknown): unknown {
    const isOver = this.#end !== undefined && performance.now() > this.#end
    const isIdle = error instanceof OctavoError && error.code === 'database/idle-transaction'
    return isOver && isIdle ? this.#over() : error
  }

  /** Rejects when the time is over; the work itself cannot be stopped. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#milliseconds === Number.POSITIVE_INFINITY) return work()
    this.#isFinished = false
    this.#end ??= performance.now() + this.#milliseconds
    const { promise, reject } = Promise.withResolvers<never>()
    this.#timer = setTimeout(() => {
      this.#end = Number.NEGATIVE_INFINITY
      reject(this.#over())
    }, this.#end - performance.now())
    try {
      const result = await Promise.race([work(), promise])
      this.check()
      return result
    } finally {
      clearTimeout(this.#timer)
    }
  }
}
