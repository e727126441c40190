import { OctavoError, ServiceUnavailableError } from '../error/octavo-error.ts'

/**
 * An unreachable database at start, for the operator: the message names host, port and reason. Clients of a running server
 * see the bare `database/unavailable`, without any of it.
 */
export function atStart(error: unknown, database: string): unknown {
  if (!(error instanceof OctavoError) || error.code !== 'database/unavailable') return error
  const message = `PostgreSQL${addressOf(database)} does not answer: ${reasonOf(error.cause)}`
  return new ServiceUnavailableError(error.code, message, {}, error)
}

/** Host and port alone: the rest of the address may hold a password. */
function addressOf(database: string): string {
  if (!URL.canParse(database)) return ''
  const { hostname, port, searchParams } = new URL(database)
  const host = hostname || searchParams.get('host')
  return host ? ` at ${host}:${port || 5432}` : ''
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the connection timed out',
  '57P03': 'it is starting up or shutting down',
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason is known'
  return reasons[String((cause as { readonly code?: unknown }).code)] ?? cause.message
}
