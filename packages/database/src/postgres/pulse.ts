import { sqlState } from '../error/database-error.ts'

/** SQLSTATE of `too_many_connections`. */
const tooMany = '53300'

/** Milliseconds after the last answer of the database for which nothing has to be asked: a busy one has more to do. */
const fresh = 200

/**
 * Sends a statement on a connection of its own, so that a busy pool does not look like a database
 * that is down. Checks that come while one is running share its result.
 */
export class Pulse {
  readonly #own: Pulsing
  readonly #shared: Pulsing & Answering
  #running: Promise<void> | undefined

  /**
   * @param own The connection for checks.
   * @param shared The pool, for a server that has no connection left for checks.
   */
  constructor(own: Pulsing, shared: Pulsing & Answering) {
    this.#own = own
    this.#shared = shared
  }

  /** @throws the driver's error when the database does not answer. */
  check(): Promise<void> {
    if (performance.now() - this.#shared.answered < fresh) return Promise.resolve()
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #check(): Promise<void> {
    try {
      await this.#own.query('select 1')
    } catch (error) {
      if (sqlState(error) !== tooMany) throw error
      await this.#shared.query('select 1')
    }
  }

  async close(): Promise<void> {
    await this.#own.end()
  }
}

interface Answering {
  /** When it answered last, as `performance.now()`. */
  readonly answered: number
}

interface Pulsing {
  query(text: string): Promise<unknown>
  end(): Promise<void>
}
