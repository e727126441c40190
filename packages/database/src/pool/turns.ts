/** Runs one piece of work at a time, in the order in which they are given. */
export class Turns {
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  /** @returns the result of the work, or its error; the next work runs in both cases. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#isTaken = true
    try {
      return await work()
    } finally {
      // The turn is handed over, so that no other work comes between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#isTaken = false
    }
  }
}
