/** The bounds of an operation while it runs: the time and the bytes of its root fields together. */
import type { CancelSignal } from '@octavo/core'
import { problem } from '../problems.ts'

/** Aborts when the client has gone, or when the operation has taken as long as one statement may. */
export class OperationSignal implements CancelSignal {
  readonly #client: CancelSignal
  readonly #end: number
  #timer: NodeJS.Timeout | undefined
  readonly #listeners = new Set<() => void>()
  #isAborted = false

  /**
   * @param client The signal of the request, or of the batch that the operation is part of.
   * @param time Milliseconds; `Infinity` for a single read, whose statement has a bound of its own.
   */
  constructor(client: CancelSignal, time: number) {
    this.#client = client
    this.#end = performance.now() + time
  }

  get aborted(): boolean {
    return this.#client.aborted || this.#isAborted || performance.now() > this.#end
  }

  /** Whether the time is over while the client waits. */
  get isLate(): boolean {
    const { aborted } = this.#client
    return this.aborted && (!aborted || (this.#client instanceof OperationSignal && this.#client.isLate))
  }

  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void {
    this.#client.addEventListener(type, listener, options)
    if (this.#end === Number.POSITIVE_INFINITY) return
    this.#listeners.add(listener)
    this.#timer ??= setTimeout(() => this.#abort(), this.#end - performance.now()).unref()
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#client.removeEventListener(type, listener)
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #abort(): void {
    this.#isAborted = true
    for (const listener of [...this.#listeners]) listener()
  }
}

/** The bytes of all answers of an operation together are bounded as those of one are. */
export class AnswerBytes {
  readonly #limit: number
  readonly #announce: ((bytes: number) => void) | undefined
  #announced = 0
  #counted = 0

  /** @param announce Takes the room of large answers before PostgreSQL sends them. */
  constructor(limit: number, announce: ((bytes: number) => void) | undefined) {
    this.#limit = limit
    this.#announce = announce
  }

  /** Counts the bytes of an answer that has arrived. @throws PayloadTooLargeError */
  readonly count = (bytes: number): void => {
    this.#counted += bytes
    this.#check(this.#counted)
  }

  /** Counts the bytes of an answer before it is sent. @throws PayloadTooLargeError; OctavoError `server/busy` */
  readonly requireRoom = (bytes: number): void => {
    this.#announced += bytes
    this.#check(this.#announced)
    this.#announce?.(bytes)
  }

  #check(bytes: number): void {
    if (bytes > this.#limit) throw problem('graphql/answer-too-large', { limit: this.#limit })
  }
}
