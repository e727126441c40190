import { isOctavoError, OctavoError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { pause, waitBefore } from './retry.ts'
import { eventStream, lost, type Transport, timedOut, timerOf } from './transport.ts'

/** The uids of a model's content-types, without those of plugins, whose changes are not recorded. */
type ContentUid<M> = [Extract<keyof M, `api::${string}`>] extends [never]
  ? string
  : Extract<keyof M, `api::${string}`>

export interface Change<Type extends string = string> {
  readonly kind: 'created' | 'updated' | 'published' | 'unpublished' | 'deleted'
  /** The uid of the content-type: `api::article.article` */
  readonly type: Type
  readonly id: number
  /** The time of the write, in ISO form. */
  readonly at: string
}

/** A change in a walk over the feed. */
export interface FollowedChange<Type extends string = string> extends Change<Type> {
  /** The position after the change. */
  readonly cursor: string
}

export interface ChangesQuery {
  /** The position to read from. Default: the present end of the feed. */
  readonly since?: string | undefined
}

export interface ChangesApi<M = unknown> {
  /** A page of changes, oldest first; without `since`, an empty one with the present cursor. */
  find(
    query?: ChangesQuery,
    options?: CallOptions,
  ): Promise<{
    readonly data: readonly Change<ContentUid<M>>[]
    readonly meta: { readonly cursor: string; readonly hasMore: boolean }
  }>
  /**
   * The changes after a position, and then each new one, with the position after it. A response that ends or breaks off is
   * requested again. `timeout` is the number of milliseconds without data after which it counts as broken off.
   *
   * @throws OctavoError `GoneError` when the change before the position is not stored: it is too old, or a restore has undone it
   */
  follow(
    query?: ChangesQuery,
    options?: CallOptions,
  ): AsyncGenerator<FollowedChange<ContentUid<M>>, void, undefined>
}

const path = '/_changes'

export function changesOf<M>(transport: Transport): ChangesApi<M> {
  return {
    find: (query, options) => transport.send<never>({ path, query, options }).catch(explain),
    follow: (query, options) => follow(transport, query?.since, options),
  }
}

async function* follow<Type extends string>(
  transport: Transport,
  since: string | undefined,
  { signal, ...options }: CallOptions = {},
): AsyncGenerator<FollowedChange<Type>, void, undefined> {
  const { timeout, retries } = transport.limits(options)
  let cursor = since
  let isOpened = false
  for (let attempt = 0; ; attempt += 1) {
    const stop = new AbortController()
    const signals = AbortSignal.any(signal ? [signal, stop.signal] : [stop.signal])
    /** Waits for the server, at most for the timeout. */
    const within = <T>(work: Promise<T>): Promise<T> => {
      const timer = setTimeout(() => stop.abort(timedOut(timeout)), timerOf(timeout))
      return work.finally(() => clearTimeout(timer))
    }
    try {
      const events = readerOf(
        await within(
          transport
            .send<Response>({
              path,
              query: { since: cursor },
              stream: true,
              options: { ...options, signal: signals, timeout: 0, retries: 0 },
            })
            .catch(explain),
        ),
      )
      let text = ''
      for (;;) {
        const { done, value } = await within(events.read().catch(lost))
        // The server ends each response after some time, so that its caller has the present rights.
        if (done) lost('the response ended')
        const parts = (text + value).split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) {
          // An event without data has a position only.
          const [, id, data] = /^id: (.*)(?:\ndata: (.*))?/.exec(part) ?? []
          if (id === undefined) continue
          isOpened = true
          attempt = 0
          cursor = id
          // Safe: the data of an event is a change.
          if (data) yield { ...(JSON.parse(data) as Change<Type>), cursor }
        }
      }
    } catch (error) {
      signal?.throwIfAborted()
      const wait =
        isOpened || attempt < retries
          ? waitBefore(attempt, error, isOpened ? Infinity : undefined)
          : undefined
      if (wait === undefined) throw error
      await pause(wait, signals)
      signal?.throwIfAborted()
    } finally {
      // Ends the response, also when the caller leaves the loop.
      stop.abort()
    }
  }
}

/** @throws OctavoError `HttpError` for the page of a proxy, for example */
function readerOf({ status, headers, body }: Response): ReadableStreamDefaultReader<string> {
  if (!body || !headers.get('content-type')?.startsWith(eventStream))
    throw new OctavoError({
      name: 'HttpError',
      status,
      message: `${status}: the answer is no stream of events`,
    })
  return body.pipeThrough(new TextDecoderStream()).getReader()
}

/** The server answers an unknown path with "Not Found" alone. */
function explain(error: unknown): never {
  const message = 'The server has no feed of changes: it needs @octavo/plugin-changes'
  throw isOctavoError(error, 'NotFoundError') ? new OctavoError({ ...error, message, cause: error }) : error
}
