import { problem } from '../error/problems.ts'

interface Waiting {
  readonly enter: () => void
  readonly leave: (reason: unknown) => void
}

/**
 * A semaphore for heavy statements, so that they never use all connections. Requests without a slot wait in a queue.
 *
 * @param count Number of slots, at least 1.
 * @param patience Milliseconds that a request waits for a slot.
 */
export class Slots {
  readonly #patience: number
  readonly #waiting = new Set<Waiting>()
  #free: number

  constructor(count: number, patience: number) {
    this.#free = count
    this.#patience = patience
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * @throws OctavoError `database/overloaded` after the wait, `database/abandoned` when `signal` aborts first.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw problem('database/abandoned', {})
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { enter: resolve, leave: reject }
    const stop = (reason: unknown): void => {
      if (this.#waiting.delete(waiting)) waiting.leave(reason)
    }
    const timer = setTimeout(() => stop(problem('database/overloaded', {})), this.#patience)
    const onAbort = (): void => stop(problem('database/abandoned', {}))
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.add(waiting)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** The request that waits longest gets the slot. */
  #leave(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next.enter()
  }
}
