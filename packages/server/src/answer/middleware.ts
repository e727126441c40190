import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { constants } from 'node:zlib'
import cors from '@koa/cors'
import { ConfigurationError } from '@octavo/core'
import helmet from 'helmet'
import type { Middleware } from 'koa'
import compress from 'koa-compress'
import Negotiator from 'negotiator'
import { weaken } from './etag.ts'
import { positionHeader } from './positions.ts'

/** A valid `X-Request-Id`; any other value is replaced. */
const saneId = /^[\w.:-]{8,100}$/

/** Sets the request id: that of `X-Request-Id`, or a new one. The log and the answer contain it. */
export const requestId = (): Middleware => (context, next) => {
  const given = context.req.headers['x-request-id']
  const id = typeof given === 'string' && saneId.test(given) ? given : randomUUID()
  context.state.requestId = id
  context.res.setHeader('X-Request-Id', id)
  return next()
}

export interface CorsOptions {
  /** Allowed origins: `*`, or a list. A list with `*` allows every origin. Default `*`. */
  readonly origins?: '*' | readonly string[]
  /** Whether requests may have cookies and authorization; needs a list of origins. Default false. */
  readonly credentials?: boolean
}

/** @throws ConfigurationError when credentials are allowed from every origin: any site could then act for its visitor. */
export function crossOrigin({ origins = '*', credentials = false }: CorsOptions): Middleware {
  const isOpen = origins.includes('*')
  if (isOpen && credentials)
    throw new ConfigurationError('cors.credentials needs a list of origins in cors.origins, without "*"')
  const allowed = isOpen ? undefined : new Set(origins)
  const full = cors({
    origin: (context) => (allowed ? (allowed.has(context.get('Origin')) ? context.get('Origin') : '') : '*'),
    credentials,
    exposeHeaders: exposed,
    keepHeadersOnError: true,
  })
  if (allowed) return full
  // The headers are the same for all origins, so only a preflight needs more than two.
  return (context, next) => {
    if (context.method === 'OPTIONS') return full(context, next)
    context.res.setHeader('Access-Control-Allow-Origin', '*')
    context.res.setHeader('Access-Control-Expose-Headers', exposed)
    return next()
  }
}

const exposed = `ETag, Idempotency-Key, Retry-After, X-Request-Id, ${positionHeader}`

/** Helmet's headers for JSON answers, which must not be run or framed. Headers for HTML pages are left out. */
export function securityHeaders(): Middleware {
  const headers = Object.entries(
    headersOf(
      helmet({
        contentSecurityPolicy: {
          useDefaults: false,
          directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
        },
        crossOriginResourcePolicy: { policy: 'cross-origin' },
        crossOriginOpenerPolicy: false,
        originAgentCluster: false,
        xDnsPrefetchControl: false,
        xDownloadOptions: false,
        xPermittedCrossDomainPolicies: false,
        xXssProtection: false,
      }),
    ),
  )
  return ({ res }, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    return next()
  }
}

/** The headers that helmet sets. They are the same for all answers, so they are computed once. */
function headersOf(apply: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  apply(request, response, (error?: unknown) => {
    if (error) throw error
  })
  return Object.fromEntries(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]))
}

/** Bytes from which on bodies are compressed. */
const threshold = 1024

/**
 * Compresses bodies of a kilobyte and more, at a low level: a higher level would take longer than the statement.
 * A client that accepts none of the encodings is answered without one, as RFC 9110 allows (section 12.5.3).
 */
export function compression(): Middleware {
  const compressed = compress({
    threshold,
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    gzip: { level: 1 },
  })
  const encoded: Middleware = async (context, next) => {
    const { req, res } = context
    let source: unknown
    await compressed(context, async () => {
      await next()
      source = context.body
    })
    endWith(source, context.body)
    // A HEAD has the headers of the GET, and no body to compress.
    const isHead = context.method === 'HEAD' && (context.length ?? 0) >= threshold
    if (res.hasHeader('Content-Encoding') || (isHead && preferred(req) !== 'identity')) weaken(context)
  }
  // Not async: an answer without an encoding waits for one promise less.
  return (context, next) => {
    const { req, res } = context
    if (req.headers['accept-encoding'] !== undefined && preferred(req) !== undefined)
      return encoded(context, next)
    // No earlier middleware has set `Vary`.
    res.setHeader('Vary', 'Accept-Encoding')
    return next()
  }
}

/** Ends a compressed stream with the error of its source, which a pipe does not pass on: the client would wait for the rest. */
function endWith(source: unknown, compressed: unknown): void {
  if (!(source instanceof Readable) || !(compressed instanceof Readable) || source === compressed) return
  if (source.errored) compressed.destroy(source.errored)
  else source.once('error', (error) => compressed.destroy(error))
}

const encodings = ['zstd', 'br', 'gzip', 'deflate', 'identity']

/** The encoding that koa-compress uses. It fails without one: it does not check that there is one. */
const preferred = (request: IncomingMessage): string | undefined =>
  new Negotiator(request).encoding(encodings)
