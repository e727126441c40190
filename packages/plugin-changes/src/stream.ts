import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { RouteContext } from '@octavo/server'
import { type Cursor, printCursor } from './cursor.ts'
import { problem } from './problems.ts'

/** One part of the feed, as a caller sees it. */
export interface Page {
  readonly changes: readonly { readonly position: Cursor; readonly change: object }[]
  /** The position after this part. */
  readonly cursor: Cursor
  readonly hasMore: boolean
}

/** The beginning of a stream. */
interface Start {
  readonly page: Page
  /** `Streams.next` as it was before the page was read: a change in between is in neither, and would wait for the one after it. */
  readonly next: Promise<void>
}

interface StreamOptions {
  readonly streams: number
  /** In milliseconds. */
  readonly streamTime: number
  /** In milliseconds. */
  readonly heartbeat: number
}

/**
 * The open streams of a process. When all places are taken, a caller with fewer streams gets a place of the one with the most: its
 * client connects again, and continues or is refused.
 */
export class Streams {
  readonly #options: StreamOptions
  /** By caller. */
  readonly #open = new Map<string, Set<AbortController>>()
  #count = 0
  #isClosed = false
  #next = Promise.withResolvers<void>()

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** Settles when there may be changes that a read which begins now does not find. */
  get next(): Promise<void> {
    return this.#next.promise
  }

  /** Called when there may be new changes. */
  wake(): void {
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }

  /** Ends all streams; their clients connect again, to another server or later. */
  close(): void {
    this.#isClosed = true
    for (const streams of this.#open.values()) for (const stream of streams) stream.abort()
  }

  /**
   * Answers a request with server-sent events: the changes after a position, then each new one. The id of an event is its
   * cursor, which browsers send as `Last-Event-ID` when they connect again.
   *
   * @param caller The user, token or address that the stream is for.
   * @throws RateLimitError when the caller has its share of the streams already.
   * @throws ServiceUnavailableError when all streams are in use, and when the server closes.
   */
  open(context: RouteContext, caller: string, start: Start, read: (after: Cursor) => Promise<Page>): void {
    this.#makeRoom(caller)
    const body = new PassThrough()
    context.type = 'text/event-stream'
    context.compress = false
    context.set('X-Accel-Buffering', 'no')
    context.body = body
    const ended = new AbortController()
    this.#add(caller, ended)
    context.res.once('close', () => ended.abort())
    // A client that left during the read of the first page: its event has passed.
    if (context.res.closed) ended.abort()
    const ending = setTimeout(() => ended.abort(), this.#options.streamTime)
    this.#send(body, start, read, ended.signal)
      .catch((error: unknown) => {
        // The client connects again and gets the error as a response.
        if (!ended.signal.aborted) context.app.emit('error', error, context)
      })
      .finally(() => {
        this.#remove(caller, ended)
        clearTimeout(ending)
        body.end()
      })
  }

  /** @throws OctavoError when there is no place for a further stream of the caller. */
  #makeRoom(caller: string): void {
    if (this.#isClosed) throw problem('changes/too-many-streams')
    const { streams } = this.#options
    const own = this.#open.get(caller)?.size ?? 0
    // One caller leaves a place to others.
    if (own > 0 && own >= streams - 1) throw problem('changes/too-many-of-caller')
    if (this.#count < streams) return
    const [greediest, most] = this.#greediest()
    const oldest = most?.values().next().value
    if (greediest === undefined || !most || !oldest || most.size <= own + 1)
      throw own > 0 ? problem('changes/too-many-of-caller') : problem('changes/too-many-streams')
    this.#remove(greediest, oldest)
    oldest.abort()
  }

  /** The caller with the most streams. */
  #greediest(): readonly [string, ReadonlySet<AbortController>] | readonly [] {
    let found: readonly [string, ReadonlySet<AbortController>] | readonly [] = []
    for (const entry of this.#open) if (entry[1].size > (found[1]?.size ?? 0)) found = entry
    return found
  }

  #add(caller: string, stream: AbortController): void {
    this.#open.set(caller, (this.#open.get(caller) ?? new Set()).add(stream))
    this.#count += 1
  }

  /** Does nothing for a stream that lost its place. */
  #remove(caller: string, stream: AbortController): void {
    const streams = this.#open.get(caller)
    if (!streams?.delete(stream)) return
    this.#count -= 1
    if (streams.size === 0) this.#open.delete(caller)
  }

  async #send(
    body: PassThrough,
    { page, next }: Start,
    read: (after: Cursor) => Promise<Page>,
    signal: AbortSignal,
  ): Promise<void> {
    let sent: string | undefined
    while (!signal.aborted) {
      if (sent !== undefined) page = await read(page.cursor)
      const events = page.changes.map(
        ({ position, change }) => `id: ${printCursor(position)}\ndata: ${JSON.stringify(change)}\n\n`,
      )
      // An event without data sets the id only, so that changes that the caller may not see are not read again.
      const last = page.changes.at(-1)
      const cursor = printCursor(page.cursor)
      if (cursor !== (last ? printCursor(last.position) : sent)) events.push(`id: ${cursor}\n\n`)
      const text = events.join('') || ':\n\n'
      sent = cursor
      if (!body.write(text)) await once(body, 'drain', { signal })
      if (!page.hasMore) await this.#change(next, signal)
      next = this.#next.promise
    }
  }

  /** Waits for a change, the next heartbeat or the end of the stream. */
  async #change(next: Promise<void>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = (): void => resolve()
    const timer = setTimeout(end, this.#options.heartbeat)
    signal.addEventListener('abort', end)
    await Promise.race([next, promise])
    signal.removeEventListener('abort', end)
    clearTimeout(timer)
  }
}
