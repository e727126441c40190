/** The public surface of @octavo/database. */

// SQL

export { Aliases, type StatementBounds } from './sql/aliases.ts'
export { comparisons } from './sql/comparisons.ts'
export { failedParts, withOrigin } from './sql/origin.ts'
export { toParameter } from './sql/parameter.ts'
export {
  type Bindable,
  bound,
  type Compiled,
  column,
  composed,
  isoTime,
  isSql,
  join,
  param,
  type RuntimeValue,
  type Sql,
  sql,
  table,
  template,
  toStatement,
  where,
} from './sql/sql.ts'

// Rows of one table

export { movedSequence } from './rows/moved-sequence.ts'
export {
  defineOwnTable,
  type OwnColumn,
  type OwnRow,
  type OwnTable,
  type OwnTableOptions,
  ownColumnType,
  ownIndexOf,
} from './rows/own-table.ts'
export type { ChangedValue, FindRows, InsertRows, RowWhere } from './rows/row-types.ts'
export { type Rows, rowJson } from './rows/rows.ts'
export type { RowSource, SourceColumn } from './rows/source.ts'

// The database: statements, transactions, messages

export { type FullQueue, queueOf } from './admission/refusals.ts'
export type { Demand } from './admission/work.ts'
export { defaultConnections, type OpenStoreOptions, openStore } from './open-store.ts'
export { chargedTo, chargeTo } from './store/charges.ts'
export { sessionSettings } from './store/engine.ts'
export { limitedTransaction, lockOf } from './store/queryable.ts'
export { retried } from './store/retry.ts'
export type {
  BatchedTransaction,
  ConnectionFigures,
  MessageHandler,
  NamedRow,
  Queryable,
  Row,
  SessionQuery,
  Statement,
  Store,
  Transaction,
} from './store/store.ts'
export { TransactionTime } from './store/transaction-time.ts'

// Errors, and the interfaces of loggers and of signals

export type { CancelSignal } from './cancel-signal.ts'
export { ConfigurationError } from './error/configuration-error.ts'
export {
  type DriverError,
  hasUnknownOutcome,
  isPassing,
  refusedKey,
  sqlState,
} from './error/database-error.ts'
export {
  asGiven,
  defineProblems,
  type ProblemExtra,
  type ProblemRow,
  type ProblemRows,
  type Problems,
} from './error/define-problems.ts'
export { isOfFullDisk, withPath } from './error/full-disk.ts'
export { isNotInstalled } from './error/not-installed.ts'
export {
  ApplicationError,
  ClientClosedRequestError,
  type ErrorClass,
  type ErrorDetails,
  errorClass,
  ForbiddenError,
  InternalServerError,
  MalformedBodyError,
  MethodNotAllowedError,
  type Mistake,
  NotFoundError,
  OctavoError,
  PaginationError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError,
} from './error/octavo-error.ts'
export { databaseProblems } from './error/problems.ts'
export { recognisable } from './error/recognisable.ts'
export { whyUnreachable } from './error/unreachable.ts'
export { type Logger, silentLogger } from './logger.ts'
export { makeFolder } from './make-folder.ts'
export { RepeatedFailure } from './repeated-failure.ts'
