import { errorOf, OctavoError } from './errors.ts'
import { EtagCache } from './etag-cache.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { queryString } from './query-string.ts'
import { pause, until, waitBefore } from './retry.ts'
import { memorySession, Renewal, type Session, type SessionStore } from './session.ts'
import type { Fetch } from './upload-fetch.ts'

export interface Call {
  /** Below the prefix: `/articles/7`. */
  readonly path: string
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
  readonly query?: object | undefined
  /** A form or a file, or anything that becomes JSON. */
  readonly body?: unknown
  readonly options?: CallOptions | undefined
  /** Sends no token: for logins, which a stale token would prevent. Default false. */
  readonly anonymous?: boolean
  /**
   * Whether the server observes an `Idempotency-Key` for this call, so that it may be sent again. Default false.
   */
  readonly repeatable?: boolean
  /** Whether the answer is one entry, which gets the ETag of the response. Default false. */
  readonly tagged?: boolean
  /** Whether the result is the response itself, whose body is a stream of events. Default false. */
  readonly stream?: boolean
  /** Gives another `fetch` for this call, made of the client's; `isOwn` when that is an option of the client. */
  readonly wrap?: (fetch: Fetch, isOwn: boolean) => Fetch
}

/** The position of the last write in the database's log: a replica answers reads that have reached it. */
const position = 'x-octavo-position'

/** The greatest time of a timer in milliseconds; longer ones end at once. */
const forEver = 2 ** 31 - 1
/** A timeout as the time of a timer, in milliseconds. */
export const timerOf = (timeout: number): number =>
  timeout > 0 && timeout < forEver ? Math.ceil(timeout) : forEver

export const eventStream = 'text/event-stream'

const keyHeader = 'idempotency-key'
/** The bodies that are not sent as JSON. */
const asTheyAre = [FormData, URLSearchParams, Blob]

/** 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

interface SentCall extends Call {
  /** The idempotency key of the call, which all its attempts share. */
  readonly key: string | undefined
}

/** Sends requests: addresses, tokens, timeouts, retries and errors. */
export class Transport {
  readonly #options: ClientOptions
  readonly #fetch: Fetch
  readonly #cache: EtagCache | undefined
  readonly #renewal: Renewal
  readonly store: SessionStore
  #position: string | null = null
  /** Whether an answer of the server repeated the key of a call: an older one would write twice. */
  #observesKeys = false

  constructor(options: ClientOptions) {
    this.#options = options
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init))
    this.#cache = options.cache ? new EtagCache(options.cache) : undefined
    this.store = options.session ?? memorySession()
    this.#renewal = new Renewal(this.store, (refreshToken) => this.#exchange(refreshToken))
  }

  /** The address of a path that the server has answered, such as the `url` of a file. */
  address(path: string): string {
    return path.startsWith('/') ? `${(this.#options.url ?? '').replace(/\/+$/, '')}${path}` : path
  }

  /** The address of a path below the prefix. */
  route(path: string): string {
    // Without a slash in front, the address would be relative to the page.
    const prefix = (this.#options.prefix ?? 'api').replace(/^\/+|\/+$/g, '')
    return this.address(`${prefix && `/${prefix}`}/${path.replace(/^\/+/, '')}`)
  }

  /** The timeout and the number of retries of a call. */
  limits(options?: CallOptions): Required<Pick<CallOptions, 'timeout' | 'retries'>> {
    const given = this.#options
    return {
      timeout: options?.timeout ?? given.timeout ?? 30_000,
      retries: options?.retries ?? given.retries ?? 2,
    }
  }

  /** @throws OctavoError, or the reason of `signal` */
  async send<T>(call: Call): Promise<T> {
    const { options, query = {}, path, method = 'GET' } = call
    const { timeout, retries } = this.limits(options)
    const limit = AbortSignal.timeout(timerOf(timeout))
    const signal = AbortSignal.any(options?.signal ? [options.signal, limit] : [limit])
    const key = call.repeatable ? newKey() : undefined
    const text = queryString(query)
    const url = this.route(path + (text && `?${text}`))
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await until(signal, this.#authorized<T>({ ...call, key }, url, signal))
      } catch (error) {
        const isSafe = method === 'GET' || (key !== undefined && this.#observesKeys)
        const wait = isSafe && attempt < retries ? waitBefore(attempt, error) : undefined
        if (wait !== undefined) await pause(wait, signal)
        options?.signal?.throwIfAborted()
        if (limit.aborted) throw timedOut(timeout, error)
        if (wait === undefined) throw error
      }
    }
  }

  /** Sends the call, and once more with a renewed session when the server refuses the token. */
  async #authorized<T>(call: SentCall, url: string, signal: AbortSignal): Promise<T> {
    if (call.anonymous) return this.#attempt<T>(call, url, undefined, signal)
    const { token } = this.#options
    if (token !== undefined)
      return this.#attempt<T>(call, url, typeof token === 'function' ? await token() : token, signal)
    const session = await this.store.get()
    try {
      return await this.#attempt<T>(call, url, session?.jwt, signal)
    } catch (error) {
      const isRefused = session && error instanceof OctavoError && error.status === 401
      const renewed = isRefused ? await this.#renewal.renew(session.jwt) : undefined
      if (renewed === undefined) throw error
      return this.#attempt<T>(call, url, renewed, signal)
    }
  }

  async #attempt<T>(call: SentCall, url: string, token: string | undefined, signal: AbortSignal): Promise<T> {
    const { method = 'GET', body, options, wrap, key: repeatKey } = call
    const fetch = wrap ? wrap(this.#fetch, this.#options.fetch !== undefined) : this.#fetch
    const headers = new Headers({ accept: call.stream ? eventStream : 'application/json' })
    // One by one: a record with a name in two cases makes one header with both values.
    for (const given of [this.#options.headers, options?.headers])
      for (const [name, value] of Object.entries(given ?? {})) headers.set(name, value)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (repeatKey !== undefined) headers.set(keyHeader, repeatKey)
    const isJson = body !== undefined && !asTheyAre.some((kind) => body instanceof kind)
    if (isJson) headers.set('content-type', 'application/json')
    const isRead = method === 'GET'
    const key = `${token} ${url}`
    const cached = isRead ? this.#cache?.get(key) : undefined
    if (cached) {
      headers.set('if-none-match', cached.etag)
      // Without it `fetch` adds `no-cache`, for which the server sends the whole answer.
      headers.set('cache-control', 'max-age=0')
    }
    if (isRead && this.#position) headers.set(position, this.#position)
    // Safe: a body that is not sent as JSON is one of `asTheyAre`.
    const sent = isJson ? JSON.stringify(body) : ((body ?? null) as BodyInit | null)
    // A redirected POST may become a GET, whose answer would look like that of the write.
    const redirect = isRead ? 'follow' : 'manual'
    const response = await fetch(url, { method, headers, signal, redirect, body: sent }).catch(lost)
    if (cached && response.status === 304) return withTag(JSON.parse(cached.text), call, cached.etag) as T
    if (repeatKey !== undefined && response.headers.get(keyHeader) === repeatKey) this.#observesKeys = true
    if (!response.ok) throw await errorOf(response)
    this.#position = response.headers.get(position) ?? this.#position
    // The caller of a stream expects a response.
    if (call.stream) return response as T
    const text = await response.text().catch(lost)
    const answer = parse<T>(text, response)
    const etag = response.headers.get('etag')
    if (isRead && text !== '') this.#cache?.set(key, etag, text)
    return withTag(answer, call, etag)
  }

  /** The next session of a refresh token; `undefined` when it is refused. */
  async #exchange(refreshToken: string): Promise<Session | undefined> {
    try {
      return await this.send<Session>({
        path: '/auth/refresh',
        method: 'POST',
        repeatable: true,
        body: { refreshToken },
        anonymous: true,
      })
    } catch (error) {
      if (error instanceof OctavoError && (error.status === 401 || error.status === 404)) return undefined
      throw error
    }
  }
}

/** The answer with its ETag, where it is that of one entry; lists have none, since no write of a list exists. */
const withTag = <T>(answer: T, { tagged }: Call, etag: string | null): T =>
  tagged && !Array.isArray((answer as { data?: unknown } | undefined)?.data)
    ? { ...answer, etag: etag ?? '' }
    : answer

/** The caller's type is that of the route's answer. @throws OctavoError `HttpError` for the page of a proxy, for example */
function parse<T>(text: string, { status }: Response): T {
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T
  } catch (cause) {
    throw new OctavoError({ name: 'HttpError', status, message: `${status}: the answer is not JSON`, cause })
  }
}

export function lost(cause: unknown): never {
  if (cause instanceof OctavoError) throw cause
  throw new OctavoError({
    name: 'NetworkError',
    status: 0,
    message: `There is no answer: ${reasonOf(cause)}`,
    cause,
  })
}

/** Node says "fetch failed", with the reason in its cause: an error, or several with a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause, code } = error as Error & { readonly code?: unknown }
  return `${message || code}${cause === undefined ? '' : ` (${reasonOf(cause)})`}`
}

export const timedOut = (timeout: number, cause?: unknown): OctavoError =>
  new OctavoError({ name: 'TimeoutError', status: 0, message: `No answer within ${timeout} ms`, cause })
