/** Requests of the pages to `/desk/api`. */
import { type Query, queryText } from '../../query-text.ts'
import { isOfOtherName } from '../../wire/index.ts'
import { timedFetch } from './server-time.ts'

export interface Mistake {
  readonly path: readonly string[]
  readonly message: string
}

/** A refusal of the server, or a lost connection (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly mistakes: readonly Mistake[]

  constructor(status: number, message: string, code = '', mistakes: readonly Mistake[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.mistakes = mistakes
  }

  /** Whether the server was not reached, or has no room at the moment: nothing is wrong with the request. */
  get isPassing(): boolean {
    return this.status === 0 || this.isBusy
  }

  /** Whether it is a refusal without a reason, as proxies in front of the server have them: each of the server has one. */
  get isUnexplained(): boolean {
    return this.status >= 400 && this.status < 500 && this.message === '' && this.code === ''
  }

  /** Whether it is the refusal of a right, which has no reason of its own. */
  get isForbidden(): boolean {
    return this.code === 'entry/forbidden' || this.code === 'desk/forbidden'
  }

  /** Whether the page names fields that the server has no more. The names in filters and orders are those of addresses, which a reload keeps. */
  get isOutdated(): boolean {
    return isOfOtherName(this.code) && !/^(filters|sort)/.test(this.message)
  }

  /** Whether what the request is about was deleted meanwhile, or is not shown to the person any more. A proxy gives no reason for its 404. */
  get isGone(): boolean {
    return this.status === 404 && !this.isUnexplained
  }

  /** Whether the server, or a proxy in front of it, has no room or is being started. */
  get isBusy(): boolean {
    return [502, 503, 504].includes(this.status)
  }
}

/** Whether the outcome of a request is not known: the server may have done what it asks. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** The refusal of a change that was made on a page with other fields than the content has. */
export class OtherFields extends ApiError {}

export interface Answer<T> {
  readonly body: T
  readonly etag: string | undefined
}

export interface RequestOptions {
  readonly query?: Query
  /** More of the query, as `writeFilters` makes it. */
  readonly filters?: string
  /** Sent as JSON; form data is sent as it is. */
  readonly body?: unknown
  /** The version that the request changes: it is refused with 412 when there is another one. */
  readonly etag?: string | undefined
  readonly signal?: AbortSignal
  /** Whether the request outlives the page. */
  readonly keepalive?: boolean
}

/** Requests that wait until the person has signed in again. */
let waits = 0

/** Waits until the person has signed in again. Set by the page that shows the form for it. */
let signInAgain: (() => Promise<void>) | undefined
export function onSignedOut(ask: () => Promise<void>): () => void {
  const waiting = async () => {
    waits += 1
    try {
      await ask()
    } finally {
      waits -= 1
    }
  }
  signInAgain = waiting
  return () => {
    if (signInAgain === waiting) signInAgain = undefined
  }
}

/** Whether the form to sign in again is over the page. */
export const isSigningInAgain = (): boolean => waits > 0

/** Waits until the person has signed in again. @throws Error on a page without the form for it */
export async function signedInAgain(): Promise<void> {
  if (!signInAgain) throw new ApiError(401, '', 'desk/not-signed-in')
  await signInAgain()
}

const pathOf = (path: string, query: Query | undefined, filters = ''): string => {
  const text = [query ? queryText(query) : '', filters].filter((part) => part !== '').join('&')
  return `/desk/api/${path}${text === '' ? '' : `?${text}`}`
}

/**
 * Sends a request. When the session has ended, the person signs in again and the request is repeated, so nothing typed is lost.
 * @throws ApiError
 */
export async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  try {
    return await send<T>(method, path, options)
  } catch (error) {
    if (
      !(error instanceof ApiError) ||
      error.status !== 401 ||
      error.code !== 'desk/not-signed-in' ||
      !signInAgain
    )
      throw error
    await signInAgain()
    return send<T>(method, path, options)
  }
}

/** Deletes the object at a path. An object that somebody else has deleted meanwhile is no error. @throws ApiError */
export async function remove(path: string, options: RequestOptions = {}): Promise<void> {
  try {
    await request('DELETE', path, options)
  } catch (error) {
    if (!(error instanceof ApiError) || !error.isGone) throw error
  }
}

/** The number of times that a read is repeated after a lost connection or a busy server. */
const mostRetries = 2

/**
 * Whether a read may be repeated. A refusal would be repeated by the server, but a lost connection may return and a busy server may have room a moment later.
 *
 * @param count The number of repetitions so far.
 */
export const mayRepeat = (count: number, error: unknown): boolean =>
  error instanceof ApiError && error.isPassing && count < mostRetries

/** Reads data that the desk needs before it can show a page. The pauses before the repetitions are one second and two seconds, as for other reads. @throws ApiError */
export async function readAtStart<T>(path: string, count = 0): Promise<Answer<T>> {
  try {
    return await send<T>('GET', path)
  } catch (error) {
    if (!mayRepeat(count, error)) throw error
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** count))
  return readAtStart(path, count + 1)
}

/** Sends a request once. @throws ApiError */
export async function send<T>(
  method: string,
  path: string,
  { query, filters, body, etag, signal, keepalive }: RequestOptions = {},
): Promise<Answer<T>> {
  const isForm = body instanceof FormData
  const headers: Record<string, string> = {
    ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
    ...(etag !== undefined && { 'If-Match': etag }),
  }
  let response: Response
  try {
    response = await timedFetch(pathOf(path, query, filters), {
      method,
      headers,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, 'The server cannot be reached.', 'desk/offline')
  }
  const text = await response.text()
  const answer = text === '' ? undefined : parsed(text)
  if (!response.ok) throw errorOf(response.status, answer)
  // A success without JSON is the page of a proxy, such as that of a network where one has to sign in first.
  if (answer === undefined && response.status !== 204)
    throw new ApiError(0, 'The server cannot be reached.', 'desk/offline')
  return { body: answer as T, etag: response.headers.get('ETag') ?? undefined } // of the form that the path has
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface ErrorBody {
  readonly error?: {
    readonly message?: string
    readonly details?: { readonly code?: string; readonly errors?: readonly Mistake[] }
  }
}

function errorOf(status: number, answer: unknown): ApiError {
  const { error } = (answer ?? {}) as ErrorBody // every refusal has this form; others have no member that is read
  return new ApiError(status, error?.message ?? '', error?.details?.code, error?.details?.errors ?? [])
}
