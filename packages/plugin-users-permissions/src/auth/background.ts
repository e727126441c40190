import type { Logger } from '@octavo/core'

/** Work that no answer waits for: how long it takes, and whether it works, tells the caller nothing. Failures are logged. */
export class Background {
  readonly #logger: Logger
  readonly #running = new Set<Promise<void>>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param failure What the log says when it fails. */
  run(failure: string, work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => this.#logger.error({ err: error }, failure))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Waits for all that has begun. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
