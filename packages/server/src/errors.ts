import {
  type Logger,
  MalformedBodyError,
  NotFoundError,
  OctavoError,
  PayloadTooLargeError,
  PluginError,
} from '@octavo/core'
import type { Context } from 'koa'

/**
 * The one place where errors become answers: an OctavoError as it is, what koa-body says of a body in our words, and
 * anything else a bare 500, whose reason the log has under the request's id.
 */
export function answerError(context: Context, error: unknown, logger: Logger): void {
  const known = translated(error)
  if (!known || known.status >= 500)
    logger.error({ err: error, requestId: context.state.requestId, ...blame(error) }, 'A request failed')
  answer(context, known)
}

export const notFound = (): NotFoundError => new NotFoundError('route/not-found', 'Not Found')

const blame = (error: unknown): object =>
  error instanceof PluginError ? { plugin: error.plugin, hook: error.hook } : {}

/** What http-errors and koa-body throw has a status and a type. */
interface HttpError extends Error {
  readonly status?: number
  readonly type?: string
  readonly expose?: boolean
}

function translated(error: unknown): OctavoError | undefined {
  if (error instanceof OctavoError) return error
  if (!(error instanceof Error)) return undefined
  const { status, type, name } = error as HttpError
  if (status === 413 || type === 'entity.too.large')
    return new PayloadTooLargeError('body/too-large', 'The body is larger than allowed.', {}, error)
  if (name === 'SyntaxError' && status === 400)
    return new MalformedBodyError('body/malformed', 'The body is not valid JSON.', {}, error)
  if (status !== undefined && status >= 400 && status < 500)
    return new OctavoError(
      'BadRequestError',
      status,
      'request/refused',
      'The request cannot be read.',
      {},
      error,
    )
  return undefined
}

function answer(context: Context, error: OctavoError | undefined): void {
  const { status, name, message, details } = error ?? {
    status: 500,
    name: 'InternalServerError',
    message: 'Internal Server Error',
    details: {},
  }
  context.status = status
  context.type = 'application/json'
  context.body = JSON.stringify({ data: null, error: { status, name, message, details } })
}
