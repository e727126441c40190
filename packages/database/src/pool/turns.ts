/** Runs one piece of work at a time, or a limited number, in the order in which they are given. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  /** @param limit The most that run at once. Default 1. */
  constructor(limit = 1) {
    this.#free = limit
  }

  /** @returns the result of the work, or its error; the next work runs in both cases. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free -= 1
    try {
      return await work()
    } finally {
      // The turn is handed over, so that no other work comes between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
