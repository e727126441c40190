import { hash } from 'node:crypto'
import type { Logger } from '@octavo/core'
import type { Context, Middleware } from 'koa'
import { answerError, notFound } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { queryShape } from './query-shape.ts'

export interface LogOptions {
  /** Adds what a request filters and sorts by, without the values: for `octavo check --explain`. Default false. */
  readonly queries?: boolean
}

/**
 * Finishes every answer: an error becomes its envelope, text gets its ETag, and the log one line. One step for the three,
 * since each that waits for the next costs every request.
 */
export const answers =
  (logger: Logger, log: LogOptions = {}, observe?: Metrics['observe']): Middleware =>
  async (context, next) => {
    const start = performance.now()
    try {
      await next()
      if (context.status === 404 && context.body == null && !context.headerSent) throw notFound()
    } catch (error) {
      answerError(context, error, logger)
    }
    if (mayBeConditional(context)) tag(context)
    const took = performance.now() - start
    writeLine(context, took, logger, log)
    observe?.(context, took)
  }

const mayBeConditional = ({ method, status, body }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && status === 200 && typeof body === 'string'

/** A weak ETag from the body's text, and 304 for who has that. */
function tag(context: Context): void {
  context.res.setHeader('ETag', `W/"${hash('sha1', context.body as string, 'base64url')}"`) // a text: see above
  const { 'if-none-match': known, 'if-modified-since': since } = context.req.headers
  if ((known === undefined && since === undefined) || !context.fresh) return
  context.status = 304
  context.body = null
}

/** Without the query string, headers and bodies, which may hold what a log should not. */
function writeLine(context: Context, took: number, logger: Logger, { queries = false }: LogOptions): void {
  const { method, path, status } = context
  const query = queries && context.querystring !== '' ? { query: queryShape(context.querystring) } : {}
  const ms = Math.round(took * 10) / 10
  logger.info({ requestId: context.state.requestId, method, path, ...query, status, ms }, `${method} ${path}`)
}
