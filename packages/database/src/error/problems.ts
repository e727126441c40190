import { defineProblems } from './define-problems.ts'
import { ClientClosedRequestError, RateLimitError, ServiceUnavailableError } from './octavo-error.ts'

/** The rows of the problems of the database, which are part of the table of core. */
export const databaseProblems = {
  'database/timeout': {
    error: ServiceUnavailableError,
    message: (d: { limit: number }) =>
      `The database did not answer within ${d.limit} ms. Request fewer entries, or populate less.`,
    example: { limit: 15_000 },
  },
  'database/idle-transaction': {
    error: ServiceUnavailableError,
    message: (d: { limit: number }) =>
      `The transaction waited longer than ${d.limit} ms for the program that began it; nothing was written.`,
    example: { limit: 60_000 },
    when: 'a program or a plugin that takes longer than `limits.transactionTime` between two statements of a transaction',
  },
  'database/busy': {
    error: ServiceUnavailableError,
    message: 'The write collided with other writes several times; nothing was written. Try again.',
  },
  'database/queue-full': {
    error: ServiceUnavailableError,
    message: 'The server is busy: too many requests wait for the database. Try again.',
  },
  'database/over-share': {
    error: RateLimitError,
    message:
      'You have used the database more than other callers who wait for it. Send fewer requests at once, or try again later.',
  },
  'database/overloaded': {
    error: ServiceUnavailableError,
    message:
      'Other large requests use all connections for large requests, or the database does not answer. Request fewer entries, or try again later.',
  },
  'database/abandoned': {
    error: ClientClosedRequestError,
    message: 'The client closed the connection, so its statement was cancelled.',
  },
  'database/unavailable': {
    error: ServiceUnavailableError,
    message: 'The database does not answer.',
  },
  'database/closed': {
    error: ServiceUnavailableError,
    message: 'The database was closed by this program before the request: close() was called.',
  },
  'database/outcome-unknown': {
    error: ServiceUnavailableError,
    message:
      'The connection to the database broke while the write was being committed, so it may have been stored or not. Read the entry before you repeat the write.',
  },
  'database/read-only': {
    error: ServiceUnavailableError,
    message: 'The database does not accept writes at the moment.',
  },
  'database/full': {
    error: ServiceUnavailableError,
    message: 'The disk of the database is full; nothing was written.',
  },
  'database/out-of-resources': {
    error: ServiceUnavailableError,
    message:
      'The database lacks memory or disk space for this request. Request fewer entries, or populate less.',
  },
  'database/ids-used-up': {
    error: ServiceUnavailableError,
    message: 'This table has no unused ids left; nothing was written.',
  },
  'database/too-many-connections': {
    error: ServiceUnavailableError,
    message: 'The database does not accept more connections at the moment.',
  },
}

export const problem = defineProblems(databaseProblems)
