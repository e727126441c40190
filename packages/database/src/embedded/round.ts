/**
 * Ends rounds of the event loop. The statements of the embedded database follow one another without one, so that as long as some wait, the process would read no
 * request, refuse none, and answer no check of health.
 */
export class Round {
  readonly #longest: number
  /** When work began in this round, as `performance.now()`; `undefined`: not yet. */
  #began: number | undefined

  /** @param longest Milliseconds of work in one round. */
  constructor(longest: number) {
    this.#longest = longest
  }

  /** Resolves at once while the work of the round has not taken long, otherwise in the next one. */
  async pause(): Promise<void> {
    const now = performance.now()
    if (this.#began !== undefined && now - this.#began >= this.#longest) await nextRound()
    if (this.#began !== undefined) return
    this.#began = performance.now()
    setImmediate(() => {
      this.#began = undefined
    })
  }
}

/** The callbacks of a round come before those that they set. */
const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
