import type { Context } from 'koa'
import { malformed } from '../error/malformed.ts'

/** Whether a framework or middleware in front of the server has read the body already: `express.json()`, `koa-body`. */
export const wasRead = ({ req }: Context): boolean => req.readableDidRead

/**
 * The body as an earlier parser left it: in Koa's `context.request.body`, or in `request.body` as Express does. JSON that
 * is still text or bytes is parsed.
 *
 * @throws Error when there is none, an error of the embedding program; MalformedBodyError for malformed JSON
 */
export function parsedBefore({ request, req }: Context): unknown {
  const body = (request.body as unknown) ?? (req as { readonly body?: unknown }).body
  if (body === undefined)
    throw new Error(
      'The body was read before the request reached the server, and request.body is not set: mount the server before the middleware that reads it, or pass its result on (docs/embedding.md)',
    )
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body
  try {
    return JSON.parse(String(body))
  } catch (error) {
    throw malformed(String(body), error)
  }
}
