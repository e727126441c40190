import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { RouteContext } from '@octavo/server'
import { problem } from './problems.ts'

/** One part of the feed, as a caller sees it. */
export interface Page {
  readonly changes: readonly { readonly position: number; readonly change: object }[]
  /** The position after this part. */
  readonly cursor: number
  readonly hasMore: boolean
}

interface StreamOptions {
  readonly streams: number
  /** In milliseconds. */
  readonly streamTime: number
  /** In milliseconds. */
  readonly heartbeat: number
}

/** The open streams of a process. */
export class Streams {
  readonly #options: StreamOptions
  readonly #open = new Set<AbortController>()
  #isClosed = false
  #next = Promise.withResolvers<void>()

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** Called when there may be new changes. */
  wake(): void {
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }

  /** Ends all streams; their clients connect again, to another server or later. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.abort()
  }

  /**
   * Answers a request with server-sent events: the changes after a position, then each new one. The id of an event is its
   * cursor, which browsers send as `Last-Event-ID` when they connect again.
   *
   * @throws ServiceUnavailableError when all streams are in use, and when the server closes.
   */
  open(context: RouteContext, first: Page, read: (after: number) => Promise<Page>): void {
    const { streams, streamTime } = this.#options
    if (this.#isClosed || this.#open.size >= streams) throw problem('changes/too-many-streams')
    const body = new PassThrough()
    context.type = 'text/event-stream'
    context.compress = false
    context.set('X-Accel-Buffering', 'no')
    context.body = body
    const ended = new AbortController()
    this.#open.add(ended)
    context.res.once('close', () => ended.abort())
    const ending = setTimeout(() => ended.abort(), streamTime)
    this.#send(body, first, read, ended.signal)
      .catch((error: unknown) => {
        // The client connects again and gets the error as a response.
        if (!ended.signal.aborted) context.app.emit('error', error, context)
      })
      .finally(() => {
        this.#open.delete(ended)
        clearTimeout(ending)
        body.end()
      })
  }

  async #send(
    body: PassThrough,
    first: Page,
    read: (after: number) => Promise<Page>,
    signal: AbortSignal,
  ): Promise<void> {
    let page = first
    let sent = -1
    while (!signal.aborted) {
      const next = this.#next.promise
      if (sent >= 0) page = await read(page.cursor)
      const events = page.changes.map(
        ({ position, change }) => `id: ${position}\ndata: ${JSON.stringify(change)}\n\n`,
      )
      // An event without data sets the id only, so that changes that the caller may not see are not read again.
      if (page.cursor > (page.changes.at(-1)?.position ?? sent)) events.push(`id: ${page.cursor}\n\n`)
      const text = events.join('') || ':\n\n'
      sent = page.cursor
      if (!body.write(text)) await once(body, 'drain', { signal })
      if (!page.hasMore) await this.#change(next, signal)
    }
  }

  /** Waits for a change, the next heartbeat or the end of the stream. */
  async #change(next: Promise<void>, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = (): void => resolve()
    const timer = setTimeout(end, this.#options.heartbeat)
    signal.addEventListener('abort', end)
    await Promise.race([next, promise])
    signal.removeEventListener('abort', end)
    clearTimeout(timer)
  }
}
