import { OctavoError, ServiceUnavailableError } from '../error/octavo-error.ts'
import { ConfigurationError } from './configuration-error.ts'
import { isUnreadableFile, sqlState } from './database-error.ts'

/** A user, a password or a database that the server does not take: SQLSTATE class 28, and 3D000. */
const refused = /^(?:28|3D)/

/** A URL whose user, password or database name has a character that ends it. The text is not repeated: it may contain a password. */
export const unreadableUrl =
  'the URL cannot be read: postgres://user:password@host:port/database, in which # / ? @ and % of a name or password are written %23 %2F %3F %40 and %25'

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
  const mismatch = error instanceof Error ? handshakeReason(error) : undefined
  if (mismatch !== undefined)
    return new ConfigurationError(`PostgreSQL${addressOf(database)} cannot be used: ${mismatch}`, {
      cause: error,
    })
  if (!(error instanceof OctavoError) || error.code !== 'database/unavailable') return error
  const message = `PostgreSQL${addressOf(database)} does not answer: ${whyUnreachable(error.cause)}`
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
  ERR_INVALID_URL: unreadableUrl,
}

/** The reason of a failed connection, for the operator. */
export function whyUnreachable(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason'
  return reasons[codeOf(cause)] ?? handshakeReason(cause) ?? cause.message
}

const codeOf = (error: Error): string => String((error as { readonly code?: unknown }).code)

/**
 * A handshake on which the URL and the server do not agree, or for which the URL names files that are no certificates: pg and Node.js throw such
 * errors without an SQLSTATE.
 */
function handshakeReason(error: Error): string | undefined {
  if (isUnreadableFile(error))
    return `a file of sslrootcert, sslcert or sslkey in the URL cannot be read (${error.message})`
  if (codeOf(error).startsWith('ERR_OSSL_'))
    return `a file of sslrootcert, sslcert or sslkey in the URL is no certificate or key in the PEM format (${error.message})`
  if (/client password must be a/.test(error.message))
    return 'it asks for a password, and the URL has none: postgres://user:password@host/database'
  if (error.message.startsWith('The server does not support SSL'))
    return 'it has no TLS, which sslmode or ssl in the URL asks for'
  if (codeOf(error) === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is for another host (${error.message}); the URL needs a name that the certificate has, and no address`
  if (certificateCodes.test(codeOf(error)))
    return `its certificate is not accepted (${error.message}); sslrootcert=ca.pem in the URL names the file of its authority`
  return undefined
}

/** Codes of OpenSSL and of Node.js for a certificate that does not verify, of another host, or out of date. */
const certificateCodes = /CERT|^UNABLE_TO_/
