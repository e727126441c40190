import { recognisable } from './recognisable.ts'

/**
 * An error whose message may be sent to the client. The server turns it into the error envelope
 * `{ data: null, error: { status, name, message, details } }`; any other error becomes a bare 500.
 */
export class OctavoError extends Error {
  /** HTTP status, 400 to 599. */
  readonly status: number
  /** Machine-readable code, e.g. `query/unknown-attribute`; see docs/errors.md. The response has it as `details.code`. */
  readonly code: string
  /** `{}` or `{ errors: [...] }`, plus the properties of the problem's own type. */
  readonly details: ErrorDetails

  constructor(
    name: string,
    status: number,
    code: string,
    message: string,
    details: ErrorDetails,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = name
    this.status = status
    this.code = code
    this.details = details
  }
}

/** One mistake in a body or a query: `path` holds list indexes as strings, e.g. `['hours', '0', 'day']`. */
export interface Mistake {
  readonly path: readonly string[]
  readonly message: string
  readonly name: string
}

export interface ErrorDetails {
  readonly errors?: readonly Mistake[]
  readonly [key: string]: unknown
}

/** Makes a named subclass of {@link OctavoError} with a fixed status: `errorClass('NotImplementedError', 501)`. */
export const errorClass = (name: string, status: number): ErrorClass =>
  class extends OctavoError {
    constructor(code: string, message: string, details: ErrorDetails = {}, cause?: unknown) {
      super(name, status, code, message, details, cause)
    }
  }

/** 400: a part of the request is invalid. */
export class ValidationError extends errorClass('ValidationError', 400) {}
/** 400: a paging parameter outside `pagination`. */
export class PaginationError extends errorClass('PaginationError', 400) {}
/** 400: a request that is well-formed but cannot be carried out. */
export class ApplicationError extends errorClass('ApplicationError', 400) {}
/** 400: a body that is not JSON; a client sees the name `SyntaxError`. */
export class MalformedBodyError extends errorClass('SyntaxError', 400) {}
/** 401: a credential that is not valid. */
export class UnauthorizedError extends errorClass('UnauthorizedError', 401) {}
/** 403: the caller may not do this. */
export class ForbiddenError extends errorClass('ForbiddenError', 403) {}
/** 404: no such route or entry. */
export class NotFoundError extends errorClass('NotFoundError', 404) {}
/** 405: the path exists, the method does not; the response has `Allow`. */
export class MethodNotAllowedError extends errorClass('MethodNotAllowedError', 405) {}
/** 412: `If-Match` names another version of the entry. */
export class PreconditionFailedError extends errorClass('PreconditionFailedError', 412) {}
/** 413: a URL or body over its bound. */
export class PayloadTooLargeError extends errorClass('PayloadTooLargeError', 413) {}
/** 429: too many requests; the response has `Retry-After`. */
export class RateLimitError extends errorClass('RateLimitError', 429) {}
/** 499: the client disconnected before the response. It is only logged, with the status that proxies use. */
export class ClientClosedRequestError extends errorClass('ClientClosedRequestError', 499) {}
/** 500: an internal error; the cause is logged with the request id. */
export class InternalServerError extends errorClass('InternalServerError', 500) {}
/** 503: the database is unavailable, or a timeout. */
export class ServiceUnavailableError extends errorClass('ServiceUnavailableError', 503) {}

for (const [name, type] of Object.entries({
  OctavoError,
  ValidationError,
  PaginationError,
  ApplicationError,
  MalformedBodyError,
  UnauthorizedError,
  ForbiddenError,
  NotFoundError,
  MethodNotAllowedError,
  PreconditionFailedError,
  PayloadTooLargeError,
  RateLimitError,
  ClientClosedRequestError,
  InternalServerError,
  ServiceUnavailableError,
}))
  recognisable(type, name)

export type ErrorClass = new (
  code: string,
  message: string,
  details?: ErrorDetails,
  cause?: unknown,
) => OctavoError
