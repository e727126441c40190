import type { Context } from 'koa'
import { koaBody } from 'koa-body'

export interface BodyLimits {
  /** Bytes of a JSON or form body. Default 1,048,576. */
  readonly bodySize: number
  /** Fields of a multipart body. Default 1,000. */
  readonly fields: number
}

export const defaultBodyLimits: BodyLimits = { bodySize: 1_048_576, fields: 1_000 }

/** The fields of a body, as JSON, form or multipart; empty when there is none. Files are left out. */
export type ReadBody = (context: Context) => Promise<Readonly<Record<string, unknown>>>

/** @throws PayloadTooLargeError, MalformedBodyError, as the one place for errors translates them */
export function bodyReader(limits: BodyLimits): ReadBody {
  const read = koaBody({
    jsonLimit: limits.bodySize,
    formLimit: limits.bodySize,
    textLimit: limits.bodySize,
    multipart: true,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never, // the names of koa-body's enum of methods
    formidable: {
      maxFieldsSize: limits.bodySize,
      maxFields: limits.fields,
      // Files belong to the plugin that takes them; here they are read past.
      onPart: (part, handle) => (part.originalFilename === null ? handle(part) : skip(part)),
    },
  })
  return async (context) => {
    await read(context, async () => {})
    const body: unknown = context.request.body
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Readonly<Record<string, unknown>>)
      : {}
  }
}

/** A part is a stream, which its declaration does not say; unless it is read, the request never ends. */
const skip = (part: unknown): void => void (part as NodeJS.ReadableStream).resume()
