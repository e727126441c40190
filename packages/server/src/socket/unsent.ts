import type { ServerResponse } from 'node:http'
import { problem } from '../error/problems.ts'

export interface ResponseLimits {
  /** Milliseconds without progress after which an unsent answer is dropped. Default 20,000. */
  readonly idle: number
  /** Total bytes of unsent answers; above it a new answer is 503. One caller never takes all of them. Default 50,331,648. */
  readonly unsent: number
}

export const defaultResponseLimits: ResponseLimits = { idle: 20_000, unsent: 48 * 1024 * 1024 }

/** Bytes up to which an answer is neither counted nor refused: the buffers of a connection hold as much. */
const small = 16 * 1024

/** How many times the bytes that remain free one caller may hold. A single caller leaves a quarter of the room to the others. */
const share = 3

interface Unsent {
  readonly response: ServerResponse
  readonly size: number
  readonly caller: string
  /** Milliseconds, as `performance.now()` gives them; `undefined`: it is being read from the database. */
  readonly since: number | undefined
}

/** Answers that are being read or sent. Each stays in memory as a whole until its client has read it. */
export class UnsentAnswers {
  readonly #limits: ResponseLimits
  /**
   * The oldest first. An array: the tables that a Map leaves behind as it is filled and emptied keep their old responses, and with
   * them the new ones, in memory until a full collection.
   */
  readonly #unsent: Unsent[] = []
  #bytes = 0

  constructor(limits: ResponseLimits) {
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts an answer until it is sent or its client has disconnected. Above the limit, answers that are older than
   * `idle` are dropped, the oldest first.
   *
   * @param caller The user, token or address that the answer is for. One caller never takes all the room.
   * @throws OctavoError `server/busy` (503) when the limit is still exceeded; a single answer is always sent.
   */
  hold(response: ServerResponse, size: number, caller: string): void {
    if (size <= small) {
      this.#release(response)
      return
    }
    this.#take({ response, size, caller, since: performance.now() })
    this.watch(response)
  }

  /**
   * Takes the room for an answer before it is read from the database, so that none is read that cannot be sent.
   * @throws OctavoError `server/busy`
   */
  reserve(response: ServerResponse, size: number, caller: string): void {
    this.#take({ response, size, caller, since: undefined })
  }

  #take(answer: Unsent): void {
    const { response, size } = answer
    const isKnown = this.#release(response)
    // Its client has disconnected: nothing is sent, and no event would release the room.
    if (response.closed) return
    if (!this.#hasRoom(answer)) this.#endOld()
    if (!this.#hasRoom(answer)) throw problem('server/busy')
    this.#unsent.push(answer)
    this.#bytes += size
    if (!isKnown) response.once('close', () => this.#release(response))
  }

  #hasRoom({ size, caller }: Unsent): boolean {
    if (this.#bytes === 0) return true
    const free = this.#limits.unsent - this.#bytes - size
    if (free < 0) return false
    const own = this.#unsent.reduce((sum, other) => sum + (other.caller === caller ? other.size : 0), 0)
    return own === 0 || own + size <= free * share
  }

  /** Ends the connection when its client reads nothing for `idle` milliseconds. Node resets the timer with each progress. */
  watch(response: ServerResponse): void {
    response.setTimeout(this.#limits.idle, () => response.destroy())
  }

  #endOld(): void {
    const now = performance.now()
    const isOld = ({ since }: Unsent): boolean => since !== undefined && now - since >= this.#limits.idle
    for (const { response } of this.#unsent.filter(isOld)) {
      this.#release(response)
      response.destroy()
    }
  }

  /** @returns whether the answer was counted */
  #release(response: ServerResponse): boolean {
    const at = this.#unsent.findIndex((unsent) => unsent.response === response)
    if (at === -1) return false
    for (const { size } of this.#unsent.splice(at, 1)) this.#bytes -= size
    return true
  }
}
