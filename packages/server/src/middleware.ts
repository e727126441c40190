import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import cors from '@koa/cors'
import type { Logger } from '@octavo/core'
import type { Context, Middleware } from 'koa'
import compress from 'koa-compress'
import helmet from 'koa-helmet'
import { queryShape } from './query-shape.ts'

/** What may be sent along as a request's id; anything else gets a new one. */
const saneId = /^[\w.:-]{8,100}$/

/** Gives a request its id: that of `X-Request-Id`, or a new one. It stands in the log and in the answer. */
export const requestId = (): Middleware => (context, next) => {
  const given = context.get('X-Request-Id')
  const id = saneId.test(given) ? given : randomUUID()
  context.state.requestId = id
  context.set('X-Request-Id', id)
  return next()
}

export interface LogOptions {
  /** Adds what a request filters and sorts by, without the values: for `octavo check --explain`. Default false. */
  readonly queries?: boolean
}

/** One line a request. Without the query string, headers and bodies, which may hold what a log should not. */
export const requestLog =
  (logger: Logger, { queries = false }: LogOptions = {}): Middleware =>
  async (context, next) => {
    const start = performance.now()
    try {
      await next()
    } finally {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const { method, path, status } = context
      const query = queries && context.querystring !== '' ? { query: queryShape(context.querystring) } : {}
      logger.info(
        { requestId: context.state.requestId, method, path, ...query, status, ms },
        `${method} ${path}`,
      )
    }
  }

export interface CorsOptions {
  /** Origins that may ask: `*`, or a list. Default `*`. */
  readonly origins?: '*' | readonly string[]
  /** Whether cookies and authorization may come along; needs a list of origins. Default false. */
  readonly credentials?: boolean
}

/** @throws Error when credentials are allowed from anywhere: any site could then act for its visitor. */
export function crossOrigin({ origins = '*', credentials = false }: CorsOptions): Middleware {
  if (origins === '*' && credentials)
    throw new Error('cors.credentials needs a list of origins in cors.origins')
  const allowed = origins === '*' ? undefined : new Set(origins)
  return cors({
    origin: (context) => (allowed ? (allowed.has(context.get('Origin')) ? context.get('Origin') : '') : '*'),
    credentials,
    exposeHeaders: ['X-Request-Id'],
    keepHeadersOnError: true,
  })
}

/** Helmet's headers, for answers that are data: nothing in them may be run or framed. */
export const securityHeaders = (): Middleware =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })

/** Bodies of a kilobyte and more; at a low level, since the statement is quicker than a thorough compression. */
export const compression = (): Middleware =>
  compress({ threshold: 1024, br: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }, gzip: { level: 1 } })

/** A weak ETag from the body's text, and 304 for who has that. */
export const conditional = (): Middleware => async (context, next) => {
  await next()
  if (!mayBeConditional(context)) return
  const digest = createHash('sha1')
    .update(context.body as string)
    .digest('base64url') // the line above knows that it is text
  context.set('ETag', `W/"${digest}"`)
  if (context.fresh) {
    context.status = 304
    context.body = null
  }
}

const mayBeConditional = ({ method, status, body }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && status === 200 && typeof body === 'string'
