import { errorOf, OctavoError } from './errors.ts'
import { EtagCache } from './etag-cache.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { queryString } from './query-string.ts'
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
  /** Gives another `fetch` for this call, made of the client's. */
  readonly wrap?: (fetch: Fetch) => Fetch
}

/** The maximum of `Retry-After`, in seconds, that the client waits for; after a longer one there is no retry. */
const longestWait = 10
/** A proxy's and the server's answers that another attempt may change. */
const temporary: readonly number[] = [0, 429, 502, 503, 504]
/** The codes of problems with which a repeated request would fail again. */
const lasting: readonly unknown[] = ['database/timeout', 'database/ids-used-up']
/** The position of the last write in the database's log: a replica answers reads that have reached it. */
const position = 'x-octavo-position'

/** Milliseconds from which a timeout is none: timers end longer ones at once. */
const forEver = 2 ** 31 - 1

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

  /** @throws OctavoError, or the reason of `signal` */
  async send<T>(call: Call): Promise<T> {
    const { options, query = {}, path, method = 'GET' } = call
    const { timeout = this.#options.timeout ?? 30_000, retries = this.#options.retries ?? 2 } = options ?? {}
    const limit = timeout > 0 && timeout < forEver ? AbortSignal.timeout(Math.ceil(timeout)) : undefined
    const signals = [options?.signal, limit].filter((signal) => signal !== undefined)
    const signal = AbortSignal.any(signals)
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
        if (limit?.aborted) throw timedOut(timeout, error)
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
    const fetch = wrap ? wrap(this.#fetch) : this.#fetch
    const headers = new Headers({ accept: 'application/json' })
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
    if (cached && response.status === 304) return JSON.parse(cached.text) as T
    if (repeatKey !== undefined && response.headers.get(keyHeader) === repeatKey) this.#observesKeys = true
    if (!response.ok) throw await errorOf(response)
    this.#position = response.headers.get(position) ?? this.#position
    const text = await response.text().catch(lost)
    const answer = parse<T>(text, response)
    if (isRead && text !== '') this.#cache?.set(key, response.headers.get('etag'), text)
    return answer
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

/** The caller's type is that of the route's answer. @throws OctavoError `HttpError` for the page of a proxy, for example */
function parse<T>(text: string, { status }: Response): T {
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T
  } catch (cause) {
    throw new OctavoError({ name: 'HttpError', status, message: `${status}: the answer is not JSON`, cause })
  }
}

/** Milliseconds to wait before the next attempt; `undefined` when there should be none. */
function waitBefore(attempt: number, error: unknown): number | undefined {
  if (!(error instanceof OctavoError) || !temporary.includes(error.status) || lasting.includes(error.code))
    return undefined
  const seconds = error.retryAfter ?? (2 ** attempt * (1 + Math.random())) / 4
  return seconds > longestWait ? undefined : seconds * 1000
}

function lost(cause: unknown): never {
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

const timedOut = (timeout: number, cause: unknown): OctavoError =>
  new OctavoError({ name: 'TimeoutError', status: 0, message: `No answer within ${timeout} ms`, cause })

/** Rejects when the signal aborts, also while a token or the renewal of a session is awaited, which have no signal. */
const until = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })

/** Waits, at most until the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  })
