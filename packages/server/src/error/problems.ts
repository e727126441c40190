import {
  ForbiddenError,
  InternalServerError,
  MalformedBodyError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  ServiceUnavailableError,
  ValidationError,
} from '@octavo/core'
import { inSummary } from '@octavo/core/internal'
import { defineProblems, errorClass } from '@octavo/core/plugin'

const BadRequestError = errorClass('BadRequestError', 400)
const RequestTimeoutError = errorClass('RequestTimeoutError', 408)
const HeadersTooLargeError = errorClass('RequestHeaderFieldsTooLargeError', 431)

/** A request that cannot be read. The status is 400 unless it is given. */
interface RefusedRequest {
  readonly message?: string
  readonly status?: number
  readonly name?: string
}

/** The problems of requests, bodies, routes and the server itself. */
export const problem = defineProblems({
  'request/bad-idempotency-key': {
    error: BadRequestError,
    message: (d: { limit: number }) => `An Idempotency-Key has at most ${d.limit} characters.`,
    example: { limit: 255 },
  },
  'body/no-data': {
    error: ValidationError,
    message: 'Missing "data" payload in the request body',
    when: 'no object `data`',
  },
  'body/bad-data': {
    error: ValidationError,
    message: (d: { place?: string }) => `The field "data" is not valid JSON${d.place ?? ''}.`,
    when: 'a form whose `data` is not JSON',
  },
  'body/bad-bulk': {
    error: ValidationError,
    message: inSummary,
    when: 'a bulk body that does not hold lists of entries and ids',
  },
  'body/bulk-too-many': {
    error: PayloadTooLargeError,
    message: (d: { count: number; limit: number }) =>
      `A bulk request may write at most ${d.limit} entries; this one has ${d.count}.`,
    when: 'a bulk request with more entries than `api.rest.bulk.items`, 1,000 by default',
  },
  'body/malformed': {
    error: MalformedBodyError,
    message: (d: { message?: string }) => d.message ?? 'The body is not valid JSON.',
    when: 'a body that is not in UTF-8 or not valid JSON, no object or list, or has a member `__proto__`; `details` has the `line` of a mistake, and its `column` where it is known',
  },
  'body/bad-form': {
    error: ValidationError,
    message: (d: { parameters: number; depth: number }) =>
      `A form may have at most ${d.parameters} parameters and ${d.depth} levels of brackets.`,
    when: 'a form with more parameters or levels of brackets than are read',
  },
  'body/too-deep': {
    error: ValidationError,
    message: (d: { limit: number }) => `The body nests deeper than ${d.limit} levels.`,
    when: 'JSON with more levels than are read',
  },
  'body/too-large': {
    error: PayloadTooLargeError,
    message: (d: { message?: string }) => d.message ?? 'The body is larger than allowed.',
    when: 'a body over `body.bodySize`, or with more than `body.fields` fields; files over their limits',
  },
  'body/timeout': {
    error: RequestTimeoutError,
    message: (d: { time: number }) => `No data arrived for ${d.time} ms; the request was aborted.`,
    when: 'no byte of a body with files arrived for `limits.idle`',
  },
  'request/refused': {
    error: BadRequestError,
    errorFor: ({ status = 400, name = 'BadRequestError' }) => errorClass(name, status),
    message: (d: RefusedRequest) => d.message ?? 'The request cannot be read.',
    when: 'a request that cannot be read; with a more specific status of 4xx where there is one. 417 ExpectationFailedError: an `Expect` other than `100-continue`. With the status, name and message of an error that a plugin throws by `context.throw`',
  },
  'request/timeout': {
    error: RequestTimeoutError,
    message: 'The request did not arrive in time.',
    when: 'a request that did not arrive in time',
  },
  'request/headers-too-large': {
    error: HeadersTooLargeError,
    message: (d: { limit: number }) => `The URL and headers may have at most ${d.limit} bytes.`,
    when: 'a URL and headers of more than 128 KiB',
  },
  'route/not-found': {
    error: NotFoundError,
    message: 'Not Found',
    when: 'no such path, no such entry, or an id that no entry can have',
  },
  'route/method-not-allowed': {
    error: MethodNotAllowedError,
    message: (d: { method: string; allowed: string }) =>
      `This address does not allow ${d.method}; it allows ${d.allowed}.`,
    when: 'the path exists, the method does not; `Allow` lists those that do',
  },
  'access/read-only': {
    error: ForbiddenError,
    message:
      'This server accepts no writes, because no plugin decides who may write. Its operator can add such a plugin ' +
      "(docs/rights.md), or let everybody write with createServer({ access: 'open' }).",
    when: "a write where no plugin decides who may write: add one that does ([rights](rights.md)), or set `createServer({ access: 'open' })`",
  },
  'precondition/changed': {
    error: PreconditionFailedError,
    message: 'This is not the version that If-Match names: it was changed or deleted meanwhile.',
    when: 'a PUT or DELETE with `If-Match`, and the entry, role or layout as this request would read it has another ETag',
  },
  'server/busy': {
    error: ServiceUnavailableError,
    message: 'The server is busy: too many answers are waiting for their clients. Try again.',
    when: 'the answers that clients have not read yet hold more than `response.unsent` bytes, or those of one caller more than three times what is left of them',
  },
  'server/overloaded': {
    error: ServiceUnavailableError,
    message: 'The server is busy: more requests arrive than it can answer. Try again.',
    when: 'rounds of the event loop take longer than `busyRound` with requests, and there was no pause for a quarter of a second',
  },
  'server/disk-full': {
    error: ServiceUnavailableError,
    message: 'The server has no disk space left for this request. Its operator must free some.',
    when: 'a file is received, stored or worked on, and the disk is full, or the quota of its user is used up',
  },
  'server/failed': {
    error: InternalServerError,
    message: 'Internal Server Error',
    when: 'any other failure; its reason and stack are in the log under the id in `X-Request-Id`',
  },
})
