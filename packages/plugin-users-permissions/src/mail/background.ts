import type { Logger } from '@octavo/core'

/** Runs work without delaying the response, so that neither its duration nor its outcome is observable. Failures are logged. */
export class Background {
  readonly #logger: Logger
  readonly #running = new Set<Promise<void>>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param failure The log message of a failure. */
  run(failure: string, work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => this.#logger.error({ err: error }, failure))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Waits for all started work. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
