/** A time limit for the work of one transaction, which may call hooks that never return. */
export class TimeLimit {
  readonly #milliseconds: number
  readonly #over: () => Error
  #isOver = false
  #timer: NodeJS.Timeout | undefined

  /** @param over Makes the error of work that takes longer. */
  constructor(milliseconds: number, over: () => Error) {
    this.#milliseconds = milliseconds
    this.#over = over
  }

  /** Refuses statements of work that continues after its time. */
  readonly check = (): void => {
    if (this.#isOver) throw this.#over()
  }

  /** Ends the limit, since the next statement commits: after it the work cannot be refused any more. */
  readonly finish = (): void => {
    this.check()
    clearTimeout(this.#timer)
  }

  /** Rejects when the time is over; the work itself cannot be stopped. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#timer = setTimeout(() => {
      this.#isOver = true
      reject(this.#over())
    }, this.#milliseconds)
    try {
      return await Promise.race([work(), promise])
    } finally {
      clearTimeout(this.#timer)
    }
  }
}
