import { OctavoError } from '../error/octavo-error.ts'
import { problem } from './problems.ts'

/** An error of either engine's driver: `code` is the SQLSTATE, or the code of a socket error. */
export interface DriverError extends Error {
  readonly code?: string
  readonly column?: string
  readonly constraint?: string
  readonly detail?: string
  readonly table?: string
  /** Where in a function of the database it was raised, one call a line. */
  readonly where?: string
}

/** SQLSTATE of an error that the database raised, e.g. `23505`; `undefined` for any other error. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as DriverError).code : undefined
  // EPIPE has five characters too; no class of SQLSTATE begins with E.
  return code && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined
}

/** A key that a unique constraint refuses: the names of its columns, and its values as one text. */
export interface RefusedKey {
  readonly columns: readonly string[]
  readonly values: string
}

/**
 * The key in the detail of a driver's error, such as `Key (slug, locale)=(emma, en) already exists.`; `undefined` for any error but 23505. The words
 * around the key are in the language of the server (`lc_messages`), which a session cannot change.
 */
export function refusedKey(error: DriverError): RefusedKey | undefined {
  if (sqlState(error) !== '23505') return undefined
  const [, columns, values] = /\((.+?)\)=\(([\s\S]*)\)/.exec(error.detail ?? '') ?? []
  if (columns === undefined || values === undefined) return undefined
  return { columns: columns.replaceAll('"', '').split(', '), values }
}

/**
 * Translates a driver's error for the client: a statement timeout, an unreachable database, and temporary conditions of
 * the database become 503; any other error is returned unchanged, with its SQLSTATE, and becomes a 500 unless the caller
 * handles it.
 */
export function translateError(error: unknown, limit: number): unknown {
  if (!(error instanceof Error) || ofWork.has(error)) return error
  if (unknown.has(error)) return problem('database/outcome-unknown', {}, { cause: error })
  const state = sqlState(error)
  if (state === '57014') return problem('database/timeout', { limit }, { cause: error })
  const condition = state === undefined ? undefined : conditions[state]
  if (condition) return problem(condition, {}, { cause: error })
  if (isUnavailable(error)) return unavailableError(error)
  return error
}

/** Whether it is unknown if a failed write happened. Files and rows that belong to it must then stay. */
export const hasUnknownOutcome = (error: unknown): boolean =>
  error instanceof OctavoError && error.code === 'database/outcome-unknown'

const unknown = new WeakSet<Error>()

/** Notes that a transaction failed with this error after its commit was sent, so that it may be committed. */
export function noteUnknown<E extends Error>(error: E): E {
  unknown.add(error)
  return error
}

/** Notes an error of a statement that is a transaction of its own, if the connection broke after it was sent. */
export const notedAlone = (error: Error): Error =>
  mayBeCommitted(error, false) || isUnavailable(error) ? noteUnknown(error) : error

/**
 * Whether a transaction may be committed, although its last message failed.
 * @param isAtCommit Whether all statements before the commit were completed.
 */
export function mayBeCommitted(error: Error, isAtCommit: boolean): boolean {
  const state = sqlState(error)
  // The connection broke at an unknown time.
  if (state === undefined) return (error as DriverError).code !== undefined || isLost(error)
  // Deferred constraints and triggers run before the commit is in the log, and raise any code. An error of the system may come later.
  return isAtCommit && (isUnavailable(error) || /^(53|58|XX)/.test(state))
}

/** SQLSTATEs of a serialization failure and a deadlock: the transaction was rolled back and can be retried. */
export const retriable: ReadonlySet<string | undefined> = new Set(['40001', '40P01'])

const ofStatements = new WeakSet<Error>()

/** Notes that a statement of a transaction threw the error, and throws it. */
export function thrownByStatement(error: unknown): never {
  if (error instanceof Error) ofStatements.add(error)
  throw error
}

const ofWork = new WeakSet<Error>()

/**
 * Notes that the work of a transaction threw the error, and none of its statements: a missing folder or another server says nothing about the
 * database, whose errors have the same codes. Throws it.
 */
export function thrownByWork(error: unknown): never {
  if (error instanceof Error && !ofStatements.has(error)) ofWork.add(error)
  throw error
}

/**
 * Whether a statement of a transaction failed for a condition that passes, so that the transaction is retried or is a 503. An equal
 * error of another origin, such as a plugin's connection to another server, says nothing about the database.
 */
export const isPassing = (error: unknown): error is Error =>
  error instanceof Error &&
  ofStatements.has(error) &&
  (retriable.has(sqlState(error)) || translateError(error, 0) !== error)

/** Temporary conditions of the database, by SQLSTATE. A read-only database is a standby, or a failover in progress. */
const conditions: Readonly<Record<string, PassingCondition>> = {
  '25006': 'database/read-only',
  '53100': 'database/full',
  '53200': 'database/out-of-resources',
  // temp_file_limit: a sort or join that needs more disk space than the operator allows.
  '53400': 'database/out-of-resources',
  '53300': 'database/too-many-connections',
  // nextval of a sequence that has given its last number.
  '2200H': 'database/ids-used-up',
}

type PassingCondition =
  | 'database/read-only'
  | 'database/full'
  | 'database/out-of-resources'
  | 'database/too-many-connections'
  | 'database/ids-used-up'

/** Whether a server is unreachable, starting up or shutting down. */
export const isUnavailable = (error: unknown): boolean => {
  const state = sqlState(error)
  return error instanceof Error && (state ? unavailable.test(state) : isLost(error))
}

const unavailableError = (cause: Error): OctavoError => problem('database/unavailable', {}, { cause })

/**
 * Class 08 connection exceptions, 57P0x shutdown or start of the server, 53300 too many connections, 25P03 and 25P04 a
 * session that the server ended. Source: PostgreSQL's table of error codes (appendix A of its manual).
 */
const unavailable = /^(08...|57P0[1-5]|53300|25P0[34])$/

/** A failed or broken connection: it has the code of a system error, or only pg's message. */
function isLost(error: Error): boolean {
  const { code } = error as DriverError
  if (isUnreadableFile(error)) return false
  if (code)
    return /^E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT|ACCES)$/.test(
      code,
    )
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|PGlite is clos)/.test(
    error.message,
  )
}

/** Whether a file cannot be read, such as a certificate that a URL names; some codes are those of a socket too. */
export const isUnreadableFile = (error: DriverError): boolean =>
  error.code === 'EISDIR' || (error as NodeJS.ErrnoException).syscall === 'open'
