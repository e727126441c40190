import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { OctavoError } from '@octavo/core'
import { type FullQueue, queueOf } from '@octavo/core/internal'
import { networkOfSender, type Sent } from './sender.ts'

/** Milliseconds for which a refusal is remembered. Its queue is asked again meanwhile. */
const remembered = 2_000

/** Milliseconds for which a queue that refuses is not asked again. */
const asked = 5

/** The last characters of what a request is authenticated with, by which a sender is known: the whole of it would stay in memory. */
const authenticatedBy = 16

/** Refusals that are remembered at once, at most twice. */
const manyRefusals = 10_000

/** Characters of a URL above which its refusal is not remembered. */
const longest = 2_000

type Asked = Pick<IncomingMessage, 'method' | 'url'> & Sent

interface Remembered {
  readonly queue: FullQueue
  readonly error: OctavoError
  readonly until: number
  /** When its queue was asked. */
  at: number
}

/**
 * The requests that a queue of the database has just refused. As long as it would refuse them again, those of the same sender for the same
 * content-type need no work to be refused: rights, routes and the log line take ten times as long as the refusal itself.
 *
 * A sender is known by its address and what it is authenticated with.
 */
export class FullQueues {
  readonly #prefix: string
  readonly #proxies: number
  /** Two generations, so that old ones are dropped all at once. */
  #refusals = new Map<string, Remembered>()
  #former = new Map<string, Remembered>()
  #since = 0

  /** @param prefix The prefix of the paths of content-types. Other paths, such as that of GraphQL, say nothing about the queue. */
  constructor(prefix: string, proxies: number) {
    this.#prefix = `${prefix}/`
    this.#proxies = proxies
  }

  /** Remembers a request that was refused with an error of a queue. */
  note(request: Asked, error: OctavoError): void {
    const queue = queueOf(error)
    if (!queue) return
    const now = performance.now()
    this.#forget(now)
    const name = queue.isNarrow ? urlOf(request) : this.#pathOf(request)
    if (name === undefined || this.#refusals.size >= manyRefusals) return
    this.#refusals.set(`${this.#senderOf(request)} ${name}`, {
      queue,
      error,
      until: now + remembered,
      at: now,
    })
  }

  /** Whether it remembers a refusal. */
  get hasRefused(): boolean {
    return this.#refusals.size + this.#former.size > 0
  }

  /** The error with which a request is to be refused; `undefined`: it is to be answered. */
  refusal(request: Asked): OctavoError | undefined {
    if (!this.hasRefused) return undefined
    const now = performance.now()
    this.#forget(now)
    const sender = this.#senderOf(request)
    for (const name of [this.#pathOf(request), urlOf(request)]) {
      const key = `${sender} ${name}`
      const found = this.#refusals.get(key) ?? this.#former.get(key)
      if (!found || now >= found.until || !refuses(found, now)) continue
      found.queue.noteRefused()
      return found.error
    }
    return undefined
  }

  #forget(now: number): void {
    if (now - this.#since < remembered) return
    this.#former = this.#refusals
    if (this.#refusals.size > 0) this.#refusals = new Map()
    this.#since = now
  }

  #senderOf(request: Sent): string {
    const { authorization = '', cookie = '' } = request.headers
    const network = networkOfSender(request, this.#proxies)
    const session = cookie === '' ? '' : hash('sha256', cookie)
    return `${network} ${authorization.slice(-authenticatedBy)} ${session}`
  }

  /** The path without ids, which all entries of a content-type share. */
  #pathOf({ method, url = '' }: Asked): string | undefined {
    const end = url.indexOf('?')
    const path = end === -1 ? url : url.slice(0, end)
    if (path.length > longest || !path.startsWith(this.#prefix)) return undefined
    return `${method} ${path.replaceAll(/\/\d+(?=\/|$)/g, '/:id')}`
  }
}

/** Whether its queue still refuses. */
function refuses(refusal: Remembered, now: number): boolean {
  if (now - refusal.at < asked) return true
  if (!refusal.queue.refuses()) return false
  refusal.at = now
  return true
}

const urlOf = ({ method, url = '' }: Asked): string | undefined =>
  url.length > longest ? undefined : `${method} ${url}`
