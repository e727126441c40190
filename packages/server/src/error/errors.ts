import { type Logger, OctavoError, PluginError } from '@octavo/core'
import { failedParts, isOfFullDisk } from '@octavo/core/internal'
import type { Context } from 'koa'
import { malformed } from './malformed.ts'
import { nonError, originOf } from './origins.ts'
import { problem } from './problems.ts'

/** Counts the requests that a busy server refuses, by code. */
export interface RefusalCounter {
  note(code: string): void
}

/** The body of every error answer, as JSON text. `details.code` is the code of docs/errors.md. */
export const errorEnvelope = ({ status, name, message, details, code }: OctavoError): string =>
  JSON.stringify({ data: null, error: { status, name, message, details: { ...details, code } } })

/**
 * Answers with an error: an OctavoError as it is, an error of an HTTP library by its status, any other error as a
 * 500 without details. Errors of status 500 and above are logged with the request id, those of
 * a busy server are counted.
 */
export function answerError(
  context: Context,
  error: unknown,
  { logger, refusals }: { readonly logger: Logger; readonly refusals: RefusalCounter },
): void {
  const answer = translated(error) ?? problem('server/failed')
  if (ofBusyServer.has(answer.code)) refusals.note(answer.code)
  else if (answer.status >= 500)
    logger.error(
      { err: loggable(error), requestId: context.state.requestId, ...origin(error) },
      'A request failed',
    )
  if (answer.status === 400) context.state.mistake = answer.message.slice(0, longestMessage)
  // Headers of the content that is not sent.
  for (const header of ['ETag', 'Cache-Control', 'Surrogate-Key', 'Cache-Tag']) context.remove(header)
  context.status = answer.status
  context.type = 'application/json'
  const isBusy = answer.status === 429 || (answer.status === 503 && !lasting.has(answer.code))
  if (isBusy && !context.res.hasHeader('Retry-After')) context.set('Retry-After', String(retryAfter))
  context.body = errorEnvelope(answer)
}

/** Characters of a message in the log. */
const longestMessage = 500

/** Codes of a 503 that a retry does not cure: the request must be smaller, the operator must act, or a write may happen twice. */
const lasting: ReadonlySet<string> = new Set([
  'database/timeout',
  'database/outcome-unknown',
  'database/ids-used-up',
  'server/disk-full',
])

/** Codes of a busy server, whose requests are counted in the log. */
const ofBusyServer: ReadonlySet<string> = new Set([
  'database/queue-full',
  'database/overloaded',
  'database/over-share',
  'server/busy',
])

/** Seconds in `Retry-After` of a 503 or 429 that has none. */
const retryAfter = 1

export const notFound = (): OctavoError => problem('route/not-found')

/** @throws MethodNotAllowedError, except that OPTIONS is answered. */
export function refuseMethod(context: Context, methods: readonly string[]): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS']
  context.set('Allow', allowed.join(', '))
  if (context.method === 'OPTIONS') {
    context.status = 204
    return
  }
  throw problem('route/method-not-allowed', { method: context.method, allowed: allowed.join(', ') })
}

/** A handler of a hook names itself in its error; the route in whose answer it ran is named beside it. */
const origin = (error: unknown): object => ({
  ...originOf(error),
  ...(error instanceof PluginError && { plugin: error.plugin, hook: error.hook }),
  ...failedParts(error),
})

const loggable = (error: unknown): Error => (error instanceof Error ? error : nonError(error))

/** Errors of http-errors and koa-body have a status and a type, those of the system a code. */
interface ForeignError extends Error {
  readonly status?: number
  readonly type?: string
  readonly code?: string | number
  /** Whether the message is for clients. */
  readonly expose?: boolean
  /** The text that a parser could not read. */
  readonly body?: unknown
}

function translated(error: unknown): OctavoError | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof OctavoError) return error
  if (isOfFullDisk(error)) return problem('server/disk-full', {}, { cause: error })
  const { status, type, name, body } = error as ForeignError
  if (status === 413 || type === 'entity.too.large') return problem('body/too-large', {}, { cause: error })
  if (name === 'SyntaxError' && status === 400)
    return malformed(typeof body === 'string' ? body : undefined, error)
  if (status !== undefined && status >= 400 && status < 500)
    return problem('request/refused', { status, ...thrownAnswer(error) }, { cause: error })
  return undefined
}

/** The name and the message of an error of `context.throw`, which are for the client. Errors of parsers have a `type`, or do not say so. */
function thrownAnswer({ expose, type, name, message }: ForeignError): { name?: string; message?: string } {
  return expose === true && type === undefined && message !== '' ? { name, message } : {}
}
