import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { type Logger, OctavoError } from '@octavo/core'
import { isThenable } from '@octavo/core/internal'
import type { Context, Middleware } from 'koa'
import { answerError, notFound } from '../error/errors.ts'
import { answerOrigin, forAnswer } from '../error/origins.ts'
import type { LogFormat } from '../operation/logger.ts'
import type { Metrics } from '../operation/metrics.ts'
import type { Refusals } from '../operation/refusals.ts'
import { callerOf } from '../request/caller.ts'
import type { Door } from '../socket/door.ts'
import type { UnsentAnswers } from '../socket/unsent.ts'
import { etagOf } from './etag.ts'
import { queryShape } from './query-shape.ts'

export interface LogOptions {
  /** Adds the attributes and operators of filters and sorts, without values, for `octavo check --explain`. Default false. */
  readonly queries?: boolean
  /** The format of the default logger; ignored with the option `logger`. Default: `pretty` on a terminal, else `json`. */
  readonly format?: LogFormat
}

/**
 * Logs the errors that come when an answer is sent: a stream that failed, or a connection that broke. Koa gives an error of a stream for each of
 * the streams that it went through. A stream of events is ended by its client, so its connection does not break.
 */
export function unsentLog(logger: Logger): (error: unknown, context?: Context) => void {
  const logged = new WeakSet<object>()
  return (error, context) => {
    if (context?.response.is('text/event-stream') && isClosing(error)) return
    if (typeof error === 'object' && error !== null) {
      if (logged.has(error)) return
      logged.add(error)
    }
    const request = context && { requestId: context.state.requestId, ...answerOrigin(context) }
    logger.warn({ err: error, ...request }, 'An answer could not be sent')
  }
}

const isClosing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

/** Characters above which an answer is sent as bytes. Shorter ones are sent faster as text, together with their headers. */
const large = 128 * 1024

export interface AnswerOptions {
  readonly logger: Logger
  readonly refusals: Refusals
  readonly door: Pick<Door, 'note'>
  readonly log: LogOptions | undefined
  readonly unsent: UnsentAnswers
  readonly observe: Metrics['observe'] | undefined
}

/**
 * Finishes every answer: makes the envelope of an error, sets the ETag, counts the bytes until they are sent,
 * and writes one log line. It is one middleware because each asynchronous middleware adds to the time of every request.
 */
export const answers =
  ({ logger, refusals, door, log = {}, unsent, observe }: AnswerOptions): Middleware =>
  async (context, next) => {
    const start = performance.now()
    // Every stream that is sent begins with this event, also where a handler writes its response itself, as for a file.
    context.res.once('pipe', () => unsent.watch(context.res))
    try {
      await next()
      if (context.status === 404 && context.body == null && !context.headerSent) throw notFound()
      finish(context, unsent)
    } catch (error) {
      if (error instanceof OctavoError) door.note(context.req, error)
      answerError(context, error, { logger, refusals })
      if (context.headerSent) cut(context)
    }
    const took = performance.now() - start
    writeLine(context, took, logger, log)
    observe?.(context, took)
  }

/**
 * Closes the connection of an answer that failed after its head was sent: the client must see that it is not whole. An error's body would be
 * a part of it, and without an end the client would wait for the rest.
 */
function cut(context: Context): void {
  context.respond = false
  if (!context.res.writableEnded) context.res.destroy()
}

/** @throws TypeError for a plugin's body that is not JSON; OctavoError `server/busy` */
function finish(context: Context, unsent: UnsentAnswers): void {
  streamWeb(context)
  const { body, method, status } = context
  const isRead = method === 'GET' || method === 'HEAD'
  if (typeof body === 'string') {
    // Node reserves three bytes for each character of a string that its client does not read at once.
    const sent = body.length > large ? Buffer.from(body) : body
    if (isRead && status === 200 && isUnchanged(context, sent)) {
      context.status = 304
      context.body = null
    } else if (method !== 'HEAD') {
      if (sent !== body) context.body = sent
      unsent.hold(context.res, sent.length, callerOf(context))
    }
  } else if (Buffer.isBuffer(body)) unsent.hold(context.res, body.length, callerOf(context))
  else if (body != null && !(body instanceof Readable) && !shownByKoa.includes(typeof body)) {
    const text = forAnswer(context, () => jsonOf(body))
    context.body = text
    unsent.hold(context.res, text.length, callerOf(context))
  }
}

/** Types of bodies besides texts that Koa makes texts of. */
const shownByKoa: readonly string[] = ['number', 'boolean']

/** @throws TypeError for a body that has no JSON, mostly a promise: `{}` in its place would hide the mistake */
function jsonOf(body: unknown): string {
  if (isThenable(body)) {
    Promise.resolve(body).catch(() => {}) // the error below takes the place of its own
    throw new TypeError('context.body is a promise, which the handler did not await')
  }
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError(`context.body is a ${typeof body}, which is no JSON`)
  return text
}

/** Makes a body of a web type a stream of Node.js: the compression takes a `Blob` for JSON, and the watch over slow clients knows no other. */
function streamWeb(context: Context): void {
  const { body } = context
  if (body instanceof Blob) {
    const { size } = body
    context.body = Readable.fromWeb(body.stream() as WebStream)
    context.length = size // a new body has none
  } else if (body instanceof ReadableStream) context.body = Readable.fromWeb(body as WebStream)
  else if (body instanceof Response)
    context.body = body.body ? Readable.fromWeb(body.body as WebStream) : Buffer.alloc(0)
}

/** Sets the ETag of the body's text. @returns whether `If-None-Match` has the same one */
function isUnchanged(context: Context, body: string | Buffer): boolean {
  context.res.setHeader('ETag', etagOf(body))
  const { 'if-none-match': known, 'if-modified-since': since } = context.req.headers
  return (known !== undefined || since !== undefined) && context.fresh
}

/**
 * Leaves out the query string, headers and bodies, which may contain private data. The line of a 400 has what is necessary to find the
 * mistake: the filters and sorts without their values, the names of other parameters, and the message of the answer.
 */
function writeLine(context: Context, took: number, logger: Logger, { queries = false }: LogOptions): void {
  const { method, path, status, state } = context
  const refused = state.refused === undefined ? {} : { refused: state.refused }
  const isMistake = status === 400
  const shape = context.querystring === '' ? '' : queryShape(context.querystring, isMistake)
  const query = shape !== '' && (queries || isMistake) ? { query: shape } : {}
  const mistake = isMistake && state.mistake !== undefined ? { mistake: state.mistake } : {}
  const ms = Math.round(took * 10) / 10
  const fields = { requestId: state.requestId, method, path, ...query, status, ms, ...refused, ...mistake }
  logger.info(fields, `${method} ${path}`)
}
