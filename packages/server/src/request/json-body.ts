/** Reads JSON bodies as nearly all clients send them; koa-body, which reads the other forms, takes as long as a small read for them. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { malformed, noObject } from '../error/malformed.ts'
import { problem } from '../error/problems.ts'
import { utf8 } from './utf8.ts'

/** JSON is in UTF-8, and the media type has no charset. Clients that send another one mean UTF-8 too, or are refused by their bytes. */
const json = /^application\/json *(?:;|$)/i

/** Whether a body is JSON that is not packed. */
export const isPlainJson = ({ req: { headers, method } }: Context): boolean =>
  headers['content-encoding'] === undefined &&
  (method === 'POST' || method === 'PUT' || method === 'DELETE') &&
  json.test(headers['content-type'] ?? '')

/**
 * Reads a body of {@link isPlainJson} into `context.request.body`, where middleware expects it.
 *
 * @param limit Bytes.
 *
 * @throws OctavoError for a body that is larger, that is not in UTF-8, that is not a JSON object or list, or whose client has gone
 */
export async function readJson(context: Context, limit: number): Promise<unknown> {
  const body = parsed(await textOf(context.req, limit))
  context.request.body = body as never // koa-body's type is of JSON values only
  return body
}

/** Takes what has arrived, and waits for more until nothing is missing: most small bodies come with their headers, and nothing is waited for. */
async function textOf(request: IncomingMessage, limit: number): Promise<string> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (length > limit) throw tooLarge(limit)
  const chunks: Buffer[] = []
  let bytes = 0
  for (;;) {
    if (request.destroyed && !request.readableEnded) throw unreadable()
    const chunk = request.read() as Buffer | null // no encoding was set
    if (chunk) {
      bytes += chunk.length
      if (bytes > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
    // Node runs what waits for the bytes of a body before it notes that they were the last ones.
    const isWhole = bytes === length || (request.complete && request.readableLength === 0)
    if (isWhole) return utf8(Buffer.concat(chunks), 'The body')
    await more(request)
  }
}

/** Resolves when more of a body has arrived, or its end; rejects when its client has gone. */
function more(request: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const settled = (settle: () => void) => () => {
      for (const [event, listener] of listeners) request.off(event, listener)
      settle()
    }
    const failed = settled(() => reject(unreadable()))
    const listeners = [
      ['readable', settled(resolve)],
      ['end', settled(resolve)],
      ['error', failed],
      ['close', failed],
    ] as const
    for (const [event, listener] of listeners) request.on(event, listener)
  })
}

const unreadable = (): Error => problem('request/refused', { message: 'The body cannot be read.' })

const tooLarge = (limit: number): Error =>
  problem('body/too-large', { message: `The body is larger than ${limit} bytes.` })

/** No body is an empty object. */
function parsed(text: string): unknown {
  if (text === '') return {}
  const value = parseOrRefuse(text.startsWith(byteOrderMark) ? text.slice(1) : text)
  if (typeof value !== 'object' || value === null) throw noObject()
  return value
}

function parseOrRefuse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(text, error)
  }
}

const byteOrderMark = '\ufeff'
