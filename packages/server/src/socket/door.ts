import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OctavoError } from '@octavo/core'
import { problem } from '../error/problems.ts'
import { FullQueues } from './full-queues.ts'
import { type RoundOptions, Rounds } from './rounds.ts'
import type { Sent } from './sender.ts'

const overloaded = problem('server/overloaded')

export interface DoorOptions extends RoundOptions {
  /** The prefix of the paths of content-types. */
  readonly prefix: string
}

/**
 * Refuses requests as soon as they are read, before any work: while a queue of the database has just refused requests like them, and while the
 * process has no time for them. A refusal has to cost a small part of an answer, or an overloaded server does nothing else.
 */
export class Door {
  readonly #queues: FullQueues
  readonly #rounds: Rounds

  constructor({ prefix, ...options }: DoorOptions) {
    this.#queues = new FullQueues(prefix, options.proxies)
    this.#rounds = new Rounds(options)
  }

  /** Whether it may refuse a request that arrives now. */
  get isBusy(): boolean {
    return this.#rounds.isPressed || this.#queues.hasRefused
  }

  /** The error with which a request that arrives now is refused; `undefined`: it is to be answered. */
  refusal(request: Pick<IncomingMessage, 'method' | 'url'> & Sent): OctavoError | undefined {
    // A request that a queue refuses takes no time of the round from others.
    const ofQueue = this.#queues.refusal(request)
    if (ofQueue || this.#rounds.hasTimeFor(request)) return ofQueue
    // Supervisors need an answer most of all when there is much to do.
    return request.url?.startsWith('/_') ? undefined : overloaded
  }

  /** Counts a request that is begun, until its response is closed. */
  begin(response: ServerResponse): void {
    this.#rounds.began()
    response.once('close', () => this.#rounds.ended())
  }

  /** Learns from the error of a request that was begun. */
  note(request: Pick<IncomingMessage, 'method' | 'url'> & Sent, error: OctavoError): void {
    this.#queues.note(request, error)
  }
}
