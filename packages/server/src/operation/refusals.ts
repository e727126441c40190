import type { Logger } from '@octavo/core'
import type { RefusalCounter } from '../error/errors.ts'

/** Milliseconds between two lines. */
const interval = 1_000

/** Logs how many requests a busy server has refused, by code, once a second: a line for each would make it busier. */
export class Refusals implements RefusalCounter {
  readonly #logger: Logger
  #counts: Record<string, number> = {}
  #timer: NodeJS.Timeout | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  note(code: string): void {
    this.#counts[code] = (this.#counts[code] ?? 0) + 1
    this.#timer ??= setTimeout(() => this.#write(), interval).unref()
  }

  #write(): void {
    this.#timer = undefined
    this.#logger.warn({ refusals: this.#counts }, 'Requests were refused: the server is busy')
    this.#counts = {}
  }
}
