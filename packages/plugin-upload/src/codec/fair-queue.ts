import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Runs so many pieces of work at once, and of each caller one at a time: callers take turns, however much one of them has
 * waiting.
 */
export class FairQueue {
  readonly #slots: LimitFunction
  readonly #callers = new Map<string, LimitFunction>()
  readonly #maxWaiting: number

  /**
   * @param slots How many run at once, at least 1.
   * @param maxWaiting How many of one caller may wait.
   */
  constructor(slots: number, maxWaiting: number) {
    this.#slots = pLimit(slots)
    this.#maxWaiting = maxWaiting
  }

  /** Whether another piece of work of this caller would have to be refused. */
  isFull(caller: string): boolean {
    return (this.#callers.get(caller)?.pendingCount ?? 0) >= this.#maxWaiting
  }

  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.#callers.get(caller) ?? pLimit(1)
    this.#callers.set(caller, own)
    try {
      return await own(() => this.#slots(work))
    } finally {
      if (own.activeCount + own.pendingCount === 0) this.#callers.delete(caller)
    }
  }
}
