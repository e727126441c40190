/** Milliseconds between two log lines about a lasting failure. */
const logEvery = 60_000

/**
 * Logs a failure that repeats as long as something is away, such as the database: the first one at once, then one a minute with the number
 * of failures since.
 */
export class RepeatedFailure {
  readonly #log: (fields: object) => void
  #failures = 0
  /** As `performance.now()`. */
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(log: (fields: object) => void) {
    this.#log = log
  }

  failed(error: unknown): void {
    this.#failures += 1
    const now = performance.now()
    if (now - this.#loggedAt < logEvery) return
    this.#log({ err: error, ...(this.#failures > 1 && { failures: this.#failures }) })
    this.#failures = 0
    this.#loggedAt = now
  }

  /** The next failure is logged at once. */
  succeeded(): void {
    this.#failures = 0
    this.#loggedAt = Number.NEGATIVE_INFINITY
  }
}
