import { OctavoError, ServiceUnavailableError } from '../error/octavo-error.ts'
import { ConfigurationError } from './configuration-error.ts'
import { sqlState } from './database-error.ts'

/** A user, a password or a database that the server does not take: SQLSTATE class 28, and 3D000. */
const refused = /^(?:28|3D)/

/**
 * Adds host, port and reason to the message of an unreachable database, or of one that refuses the connection, at start, for the operator. Clients of a running
 * server get the message of `database/unavailable` without them.
 */
export function atStart(error: unknown, database: string): unknown {
  const state = sqlState(error)
  if (error instanceof Error && state !== undefined && refused.test(state))
    return new ConfigurationError(
      `PostgreSQL${addressOf(database)} refuses the connection: ${error.message}`,
      { cause: error },
    )
  if (!(error instanceof OctavoError) || error.code !== 'database/unavailable') return error
  const message = `PostgreSQL${addressOf(database)} does not answer: ${reasonOf(error.cause)}`
  return new ServiceUnavailableError(error.code, message, {}, error)
}

/** Host and port only: the rest of the URL may contain a password. */
export function addressOf(database: string): string {
  if (!URL.canParse(database)) return ''
  const { hostname, port, searchParams } = new URL(database)
  const host = hostname || searchParams.get('host')
  return host ? ` at ${host}:${port || 5432}` : ''
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the connection timed out',
  '57P03': 'the server is starting up or shutting down',
}

export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason'
  return reasons[String((cause as { readonly code?: unknown }).code)] ?? cause.message
}
