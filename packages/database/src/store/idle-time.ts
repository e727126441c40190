import { problem } from '../error/problems.ts'

/** The longest time of a timer. Source: Node.js, `setTimeout`. */
const longest = 2_147_483_647

/**
 * A limit on the time that a transaction waits for this process between its statements. Work that never ends, such as a request to another
 * server without a limit of time, would keep the connection and its locks for ever.
 */
export class IdleTime {
  readonly #milliseconds: number
  readonly #over = Promise.withResolvers<never>()
  #running = 0
  #isLifted: boolean
  #timer: NodeJS.Timeout | undefined

  /** @param milliseconds Infinity: no limit. */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#isLifted = milliseconds > longest
  }

  /**
   * Runs the work of a transaction; the work itself cannot be stopped.
   * @throws OctavoError `database/idle-transaction`
   */
  async limit<T>(work: () => Promise<T>): Promise<T> {
    this.#wait()
    try {
      return await Promise.race([work(), this.#over.promise])
    } finally {
      this.lift()
    }
  }

  /** Runs a statement of the transaction, which is not waiting meanwhile. */
  async during<T>(statement: () => Promise<T>): Promise<T> {
    this.#running += 1
    clearTimeout(this.#timer)
    try {
      return await statement()
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#wait()
    }
  }

  /** Ends the limit. */
  lift(): void {
    this.#isLifted = true
    clearTimeout(this.#timer)
  }

  #wait(): void {
    if (this.#isLifted) return
    const limit = this.#milliseconds
    this.#timer = setTimeout(() => this.#over.reject(problem('database/idle-transaction', { limit })), limit)
  }
}
