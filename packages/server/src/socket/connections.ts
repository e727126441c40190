import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type Server as NetServer, Server as NetServerClass, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds after which the event loop has read what had arrived before. */
const roundTime = 20

/** Milliseconds for which clients that still connect keep listening sockets open: until none does, and then until each socket has accepted what waits. */
const longestClosing = 500

/** Rounds of the event loop in which each listening socket may accept what waits, however long they take. */
const leastRounds = 100

/** `GET /api/articles`, for the log, without the query string, which may hold secrets. */
const nameOf = ({ method, url = '' }: IncomingMessage): string => `${method} ${url.replace(/\?.*/s, '')}`

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Waits for the last connection. Not the method of HTTP servers, which closes connections without a request at once. */
const stopListening = (server: NetServer): Promise<void> =>
  new Promise((resolve) => {
    NetServerClass.prototype.close.call(server, () => resolve())
  })

/** The requests in flight of an HTTP server. */
export class Connections {
  readonly #server: Server
  /** Listening sockets besides that of the server. */
  #further: readonly NetServer[] = []
  /**
   * By socket, which lives for many requests. A Set of all responses would be copied every few requests, and the old copies
   * would hold their responses until a full garbage collection.
   */
  readonly #inFlight = new Map<Duplex, ServerResponse[]>()
  /** Requests that were answered before their whole body had arrived. */
  readonly #unread = new WeakMap<Duplex, IncomingMessage>()
  readonly #sockets = new Set<Socket>()
  #isStopping = false
  /** The requests that wait until nothing listens any more; `undefined`: none has to. */
  #held: (() => void)[] | undefined

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Whether answers have `Connection: close`. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Whether requests wait while listening sockets are being closed: a client that has its answer would connect anew meanwhile. */
  get isHolding(): boolean {
    return this.#held !== undefined
  }

  /** @param begin Called when nothing listens any more. */
  hold(begin: () => void): void {
    this.#held?.push(begin)
  }

  /** Counts a request until it is answered. */
  track(request: IncomingMessage, response: ServerResponse): void {
    const pending = this.#pending(request.socket)
    pending.push(response)
    response.once('close', () => {
      pending.splice(pending.indexOf(response), 1)
      if (!request.complete) this.#unread.set(request.socket, request)
    })
    if (this.#isStopping) response.setHeader('Connection', 'close')
  }

  /** Closes these listening sockets with the server. */
  add(further: readonly NetServer[]): void {
    this.#further = further
  }

  #pending(socket: Duplex): ServerResponse[] {
    let pending = this.#inFlight.get(socket)
    if (!pending) {
      pending = []
      this.#inFlight.set(socket, pending)
      socket.once('close', () => this.#inFlight.delete(socket))
    }
    return pending
  }

  /** Whether a request of a socket is not answered yet. */
  isAnswering(socket: Duplex): boolean {
    return (this.#inFlight.get(socket)?.length ?? 0) > 0
  }

  /** The response to the request of a socket whose body has not arrived as a whole; `undefined`: there is none. */
  arriving(socket: Duplex): ServerResponse | undefined {
    return this.#inFlight.get(socket)?.find(({ req }) => !req.complete)
  }

  /** Waits until every request that arrived on a socket, with its whole body, is answered. */
  async answered(socket: Duplex): Promise<void> {
    const pending = (this.#inFlight.get(socket) ?? []).filter(({ req }) => req.complete)
    await Promise.all(
      pending.map((response) => new Promise<void>((resolve) => response.once('close', () => resolve()))),
    )
  }

  /** Whether a request without its whole body is on a socket, and its answer has begun or was sent. */
  hasEarlyAnswer(socket: Duplex): boolean {
    if (this.#unread.get(socket)?.complete === false) return true
    return (this.#inFlight.get(socket) ?? []).some(({ req, headersSent }) => !req.complete && headersSent)
  }

  /**
   * Prepares the end, so that no client loses a request. A client that receives `Connection: close` opens a new connection
   * for its next request, which a load balancer sends elsewhere; closing sockets at once would reset requests on their way.
   *
   * @param drain Time for which new requests are still accepted, with `Connection: close` in each answer, in milliseconds.
   */
  async drain(drain: number): Promise<void> {
    this.#isStopping = true
    for (const response of [...this.#inFlight.values()].flat())
      if (!response.headersSent) response.setHeader('Connection', 'close')
    if (drain > 0) await wait(drain)
  }

  /**
   * Closes the server.
   * @param grace Time for requests in flight, in milliseconds.
   * @returns the requests that were cut off, since their answers had not ended: `GET /api/articles`
   */
  async stop(grace: number): Promise<readonly string[]> {
    const server = this.#server
    const closed = await this.#stopListening(Math.min(grace, longestClosing))
    // A connection without a request may have one that is on its way.
    await wait(roundTime)
    await this.#closeIdle()
    const cut: string[] = []
    const late = setTimeout(() => {
      cut.push(...[...this.#inFlight.values()].flat().map(({ req }) => nameOf(req)))
      server.closeAllConnections()
    }, grace)
    // A kept-alive connection becomes idle only after its answer was sent.
    const idle = setInterval(() => void this.#closeIdle(), 50)
    await Promise.all(closed)
    clearTimeout(late)
    clearInterval(idle)
    // Its own method ends the timer that checks its connections, which would keep all that the server has answered with in memory.
    server.close()
    return cut
  }

  /**
   * Closes the listening sockets when no client connects, or each after a round of the event loop in which it accepted nothing. When a socket is closed, the system resets
   * the connections that wait to be accepted, which may have sent requests. Requests are held meanwhile.
   * @returns for each socket the end of all its connections
   */
  async #stopListening(longest: number): Promise<readonly Promise<void>[]> {
    this.#held = []
    const accepting = new Set<NetServer>()
    const closed: Promise<void>[] = []
    let open: readonly NetServer[] = [this.#server, ...this.#further]
    for (const server of open) server.on('connection', () => accepting.add(server))
    const quiet = performance.now() + longest
    do {
      accepting.clear()
      await wait(roundTime)
    } while (accepting.size > 0 && performance.now() < quiet)
    const end = performance.now() + longest
    for (let round = 1; open.length > 0; round++) {
      accepting.clear()
      await nextRound()
      const isLate = round >= leastRounds && performance.now() >= end
      for (const server of open) if (isLate || !accepting.has(server)) closed.push(stopListening(server))
      open = isLate ? [] : open.filter((server) => accepting.has(server))
    }
    const held = this.#held
    this.#held = undefined
    for (const begin of held) begin()
    return closed
  }

  /** At the end of a round of the event loop, which has read what had arrived before. */
  async #closeIdle(): Promise<void> {
    await nextRound()
    this.#server.closeIdleConnections()
    // Node.js takes one on which nothing has arrived for one that is in use.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}
