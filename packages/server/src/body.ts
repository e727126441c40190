import { Writable } from 'node:stream'
import { MalformedBodyError, OctavoError, PayloadTooLargeError, ValidationError } from '@octavo/core'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'

export interface BodyLimits {
  /** Bytes of a JSON or form body, unpacked, and of the fields of a multipart body. Default 1,048,576. */
  readonly bodySize: number
  /** Fields of a form or multipart body. Default 1,000. */
  readonly fields: number
  /** Bytes of the files of a multipart body whose files nobody takes: they are read past. Default 209,715,200. */
  readonly skippedFiles: number
}

export const defaultBodyLimits: BodyLimits = {
  bodySize: 1_048_576,
  fields: 1_000,
  skippedFiles: 200 * 1_048_576,
}

/** Levels of brackets that a name in a form may have. */
const formDepth = 20

/** Levels of lists and objects that a body may have: a JSON attribute's own 200 fit in. */
const bodyDepth = 256

/** The fields of a body, as JSON, form or multipart; empty when there is none. Files are left out. */
export type ReadBody = (context: Context) => Promise<Readonly<Record<string, unknown>>>

/** @throws PayloadTooLargeError, MalformedBodyError, ValidationError, BadRequestError: what makes a body unreadable. */
export function bodyReader(limits: BodyLimits): ReadBody {
  const read = koaBody({
    jsonLimit: limits.bodySize,
    formLimit: limits.bodySize,
    textLimit: limits.bodySize,
    multipart: true,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never, // the names of koa-body's enum of methods
    // qs cuts off silently what is over its bounds unless it is told to throw.
    queryString: {
      depth: formDepth,
      strictDepth: true,
      parameterLimit: limits.fields,
      arrayLimit: limits.fields,
      throwOnLimitExceeded: true,
    },
    formidable: {
      maxFieldsSize: limits.bodySize,
      maxFields: limits.fields,
      maxFiles: limits.fields,
      maxFileSize: limits.skippedFiles,
      minFileSize: 0,
      allowEmptyFiles: true,
      // Files belong to the plugin that takes them; here they are read past, and none reaches the disk.
      fileWriteStreamHandler: () => new Writable({ write: (_chunk, _encoding, done) => done() }),
      onPart: (part, handle) => {
        // What has a type but no file name is a field all the same.
        if (part.originalFilename === null) part.mimetype = null
        return handle(part)
      },
    },
  })
  return async (context) => {
    try {
      await read(context, async () => {})
    } catch (error) {
      throw unreadable(error, limits)
    }
    const body: unknown = context.request.body
    checkDepth(body)
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Readonly<Record<string, unknown>>)
      : {}
  }
}

/**
 * Iterates, so that what comes after may recurse.
 *
 * @throws ValidationError when lists and objects go deeper than any body may
 */
export function checkDepth(body: unknown): void {
  let level = nested([body])
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > bodyDepth)
      throw new ValidationError('body/too-deep', `The body nests deeper than ${bodyDepth} levels.`)
    level = nested(level.flatMap((value) => Object.values(value)))
  }
}

const nested = (values: readonly unknown[]): readonly object[] =>
  values.filter((value) => typeof value === 'object' && value !== null)

/** What raw-body, formidable and zlib tell of an error, each in its own way. */
interface ReadingError extends Error {
  readonly status?: number
  readonly httpCode?: number
  readonly code?: string | number
}

/** formidable's codes; its package exports them to those who import all of it. */
const aborted = 1002
const tooManyFields = 1007

function unreadable(error: unknown, { bodySize, fields }: BodyLimits): unknown {
  if (!(error instanceof Error)) return error
  const { name, code, status, httpCode } = error as ReadingError
  if (code === tooManyFields) {
    return new PayloadTooLargeError('body/too-large', `The body has more than ${fields} fields.`, {}, error)
  }
  if (status === 413 || httpCode === 413) {
    return new PayloadTooLargeError('body/too-large', `The body is larger than ${bodySize} bytes.`, {}, error)
  }
  if (name === 'SyntaxError')
    return new MalformedBodyError('body/malformed', 'The body is not valid JSON.', {}, error)
  if (error instanceof RangeError) {
    return new ValidationError(
      'body/bad-form',
      `A form may have at most ${fields} parameters and ${formDepth} levels of brackets.`,
      {},
      error,
    )
  }
  const isOfClient =
    code === aborted ||
    [status, httpCode].some((value) => value !== undefined && value >= 400 && value !== 500) ||
    isOfZlib(code)
  return isOfClient
    ? new OctavoError(
        'BadRequestError',
        status === 415 ? 415 : 400,
        'request/refused',
        status === 415
          ? 'The body is packed in a way that is not read; send it as it is, or in gzip, deflate or br.'
          : 'The body cannot be read.',
        {},
        error,
      )
    : error
}

/** `Z_DATA_ERROR`, and of brotli `ERR__ERROR_FORMAT_...`. */
const isOfZlib = (code: unknown): boolean =>
  typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ERR__ERROR_'))
