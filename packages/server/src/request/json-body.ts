/** Reads JSON bodies as nearly all clients send them; koa-body, which reads the other forms, takes as long as a small read for them. */
import type { Context } from 'koa'
import { problem } from '../error/problems.ts'

/** JSON as UTF-8 is the default of the media type. */
const json = /^application\/json(?:; ?charset=utf-8)?$/i

/** Whether a body is JSON in UTF-8 that is not packed. */
export const isPlainJson = ({ req: { headers, method } }: Context): boolean =>
  headers['content-encoding'] === undefined &&
  (method === 'POST' || method === 'PUT' || method === 'DELETE') &&
  json.test(headers['content-type'] ?? '')

/**
 * Reads a body of {@link isPlainJson} into `context.request.body`, where middleware expects it.
 *
 * @param limit Bytes.
 *
 * @throws OctavoError for a body that is larger, or whose client has gone; SyntaxError for one that is no JSON object or list
 */
export async function readJson(context: Context, limit: number): Promise<unknown> {
  const arrived = arrivedOf(context, limit)
  const body = parsed(arrived ? arrived.toString() : await textOf(context, limit))
  context.request.body = body as never // koa-body's type is of JSON values only
  return body
}

/** A body that has arrived as a whole, with the headers as nearly all small ones have: listening to it would take longer than the rest. */
function arrivedOf({ req }: Context, limit: number): Buffer | undefined {
  if (!req.complete || req.destroyed || req.readableLength === 0 || req.readableFlowing !== null)
    return undefined
  if (req.readableLength > limit) throw tooLarge(limit)
  return req.read() as Buffer // no encoding was set
}

function textOf({ req }: Context, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const add = (chunk: Buffer): void => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= limit) return
      req.off('data', add)
      // The server reads the rest when the answer has been sent.
      req.pause()
      reject(tooLarge(limit))
    }
    const end = (cause?: Error): void =>
      reject(problem('request/refused', { message: 'The body cannot be read.' }, { cause }))
    if (Number(req.headers['content-length'] ?? 0) > limit) return reject(tooLarge(limit))
    if (req.destroyed) return end()
    req.on('data', add)
    req.on('end', () => resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()))
    req.on('error', end)
    req.on('close', () => {
      if (!req.complete) end()
    })
  })
}

const tooLarge = (limit: number): Error =>
  problem('body/too-large', { message: `The body is larger than ${limit} bytes.` })

/** No body is an empty object. */
function parsed(text: string): unknown {
  if (text === '') return {}
  const value: unknown = JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text)
  if (typeof value !== 'object' || value === null) throw new SyntaxError('The body is no object or list')
  return value
}

const byteOrderMark = '\ufeff'
