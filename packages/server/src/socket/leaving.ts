import type { ServerResponse } from 'node:http'
import type { CancelSignal } from '@octavo/core'

/**
 * Aborts when the client disconnects before its answer is sent. It listens to the response once and keeps its listeners itself:
 * adding and removing listeners of a response takes longer than the rest of a small read's way through the pool.
 */
export class Leaving implements CancelSignal {
  readonly #response: ServerResponse
  #isListening = false
  /** Listeners of statements that run or wait for a connection: they end before the response is sent. */
  readonly #listeners: (() => void)[] = []

  constructor(response: ServerResponse) {
    this.#response = response
  }

  get aborted(): boolean {
    return this.#response.closed && !this.#response.writableFinished
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
    if (this.#isListening) return
    this.#isListening = true
    this.#response.on('close', () => {
      for (const listener of [...this.#listeners]) listener()
    })
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at !== -1) this.#listeners.splice(at, 1)
  }
}
