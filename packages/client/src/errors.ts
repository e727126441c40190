/** One mistake in a body or a query: `path` holds list indexes as text, e.g. `['hours', '0', 'day']`. */
export interface Mistake {
  readonly path: readonly string[]
  readonly message: string
  readonly name: string
}

export interface ErrorDetails {
  readonly errors?: readonly Mistake[]
  readonly [key: string]: unknown
}

/** The names of errors with their status; 0 when there is no answer. */
export interface ErrorStatus {
  ValidationError: 400
  PaginationError: 400
  ApplicationError: 400
  SyntaxError: 400
  BadRequestError: 400
  UnauthorizedError: 401
  ForbiddenError: 403
  NotFoundError: 404
  MethodNotAllowedError: 405
  RequestTimeoutError: 408
  ConflictError: 409
  GoneError: 410
  PreconditionFailedError: 412
  PayloadTooLargeError: 413
  UnprocessableEntityError: 422
  RateLimitError: 429
  RequestHeaderFieldsTooLargeError: 431
  ClientClosedRequestError: 499
  InternalServerError: 500
  NotImplementedError: 501
  ServiceUnavailableError: 503
  /** The server cannot be reached, or the connection broke. */
  NetworkError: 0
  /** No answer within `timeout`. */
  TimeoutError: 0
  /** An answer that is not from Octavo: that of a proxy, for example. */
  HttpError: number
}

export type ErrorName = keyof ErrorStatus

/** Every error of a request, discriminated by `name`. */
export type AnyOctavoError = { [N in ErrorName]: OctavoError<N> }[ErrorName]

export interface ErrorParts<N extends ErrorName> {
  readonly name: N
  readonly status: ErrorStatus[N]
  readonly message: string
  readonly details?: ErrorDetails
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** A request that failed. */
export class OctavoError<N extends ErrorName = ErrorName> extends Error {
  override readonly name: N
  /** The HTTP status; 0 when there is no answer. */
  readonly status: ErrorStatus[N]
  /** `errors` lists the mistakes of a query or a body. */
  readonly details: ErrorDetails
  /** The code of the problem, e.g. `query/unknown-attribute`; `undefined` when the answer has none. */
  readonly code: string | undefined
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds after which the server accepts the request again, when the answer has `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor({ name, status, message, details = {}, requestId, retryAfter, cause }: ErrorParts<N>) {
    super(message, { cause })
    this.name = name
    this.status = status
    this.details = details
    this.code = typeof details.code === 'string' ? details.code : undefined
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/**
 * Whether a caught value is an error of a request; with a name, whether it is that error.
 *
 *     if (isOctavoError(error, 'ValidationError')) show(error.details.errors)
 */
export function isOctavoError(error: unknown): error is AnyOctavoError
export function isOctavoError<N extends ErrorName>(error: unknown, name: N): error is OctavoError<N>
export function isOctavoError(error: unknown, name?: ErrorName): boolean {
  return error instanceof OctavoError && (name === undefined || error.name === name)
}

/** The error of an answer whose status is not one of success, such as a redirect of a write. */
export async function errorOf(response: Response): Promise<OctavoError> {
  const { status, statusText, headers } = response
  const common = {
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
  }
  const given = errorIn(await response.text().catch(() => ''))
  if (given) return new OctavoError({ ...given, status, ...common })
  // Browsers show neither the status nor the address of a redirect.
  const isRedirect = response.type === 'opaqueredirect' || (status < 400 && headers.has('location'))
  const message = isRedirect
    ? `A write is not redirected: use the address ${headers.get('location') ?? 'that the server redirects to'}`
    : `${status} ${statusText}`.trim()
  return new OctavoError({ name: 'HttpError', status, message, ...common })
}

/** The error of an envelope `{ data: null, error }`. */
function errorIn(text: string): ErrorParts<ErrorName> | undefined {
  try {
    // Safe: only the shape below is used, and a value that throws is not an envelope.
    const { error } = JSON.parse(text) as { readonly error?: Partial<ErrorParts<ErrorName>> }
    if (typeof error?.name === 'string' && typeof error.message === 'string')
      return { ...(error as ErrorParts<ErrorName>), details: error.details ?? {} }
  } catch {}
  return undefined
}

/** `Retry-After` in seconds: a number, or a time. */
function secondsOf(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  const found = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds
  return Number.isNaN(found) ? undefined : Math.max(0, found)
}
