import { defineProblems } from './define-problems.ts'
import { ClientClosedRequestError, RateLimitError, ServiceUnavailableError } from './octavo-error.ts'

/** The rows of the problems of the database, which are part of the table of core. */
export const databaseProblems = {
  'database/timeout': {
    error: ServiceUnavailableError,
    message: (d: { limit: number }) => `The database did not answer within ${d.limit} ms; request less.`,
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
    message: 'Other writes were in the way, again and again; nothing was written. Try again.',
  },
  'database/queue-full': {
    error: ServiceUnavailableError,
    message: 'The server is busy: too many requests wait for the database. Try again.',
  },
  'database/over-share': {
    error: RateLimitError,
    message:
      'You have used the database more than others who wait for it. Send fewer requests at once, or try again later.',
  },
  'database/overloaded': {
    error: ServiceUnavailableError,
    message:
      'Other large requests use all of their connections, or the database does not answer. Request less, or try again later.',
  },
  'database/abandoned': {
    error: ClientClosedRequestError,
    message: 'The client has left; its statement was cancelled.',
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
      'The connection to the database broke while the write was committed: it may have been written or not. Read it before you repeat it.',
  },
  'database/read-only': {
    error: ServiceUnavailableError,
    message: 'The database takes no writes at present.',
  },
  'database/full': {
    error: ServiceUnavailableError,
    message: 'The database has no room left; nothing was written.',
  },
  'database/out-of-resources': {
    error: ServiceUnavailableError,
    message: 'The database lacks memory or disk space for this request; request less.',
  },
  'database/ids-used-up': {
    error: ServiceUnavailableError,
    message: 'The ids of this table are used up; nothing was written.',
  },
  'database/too-many-connections': {
    error: ServiceUnavailableError,
    message: 'The database takes no further connections at present.',
  },
}

export const problem = defineProblems(databaseProblems)
