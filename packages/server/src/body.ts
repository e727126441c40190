import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import {
  isObject,
  MalformedBodyError,
  OctavoError,
  PayloadTooLargeError,
  ValidationError,
} from '@octavo/core'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { parsedBefore, wasRead } from './parsed-body.ts'

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

/** What a plugin that takes files says of them. */
export interface FileLimits {
  /** Bytes of one file. */
  readonly fileSize: number
  /** Files of one body. */
  readonly files: number
  /** Milliseconds that may pass without a byte before the request is given up. */
  readonly idle: number
  /** The folder where files are put as they arrive. Default: the system's own for temporary files. */
  readonly directory?: string
}

/** A file as it arrived, on the disk; what the client says of it is not to be believed. */
export interface ReceivedFile {
  /** Name of the part: `files`, `files.cover`. */
  readonly field: string
  /** The file's own name, as the client says. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Where it is until {@link Received.discard}. Whoever takes the file may move it away. */
  readonly path: string
}

export type Fields = Readonly<Record<string, unknown>>

/** A body with its files. */
export interface Received {
  readonly fields: Fields
  /** In the order in which they came; a part for which no file was chosen is left out. */
  readonly files: readonly ReceivedFile[]
  /** Removes the files that nobody moved away. To be called in any case. */
  discard(): Promise<void>
}

/** How bodies are read. All of it throws what makes a body unreadable: 400, 408, 413 or 415. */
export interface Bodies {
  /** The fields of a body, as JSON, form or multipart; empty when there is none. Files are read past. */
  fields(context: Context): Promise<Fields>
  /** The same with the files of a multipart body. Nothing stays on the disk when it throws. */
  withFiles(context: Context, limits: FileLimits): Promise<Received>
}

type FormidableOptions = NonNullable<NonNullable<Parameters<typeof koaBody>[0]>['formidable']>

export function bodies(limits: BodyLimits): Bodies {
  // Files belong to the plugin that takes them; elsewhere they are read past, and none reaches the disk.
  const past = reader(limits, {
    maxFiles: limits.fields,
    maxFileSize: limits.skippedFiles,
    fileWriteStreamHandler: () => new Writable({ write: (_chunk, _encoding, done) => done() }),
  })
  return {
    async fields(context) {
      if (wasRead(context)) return fieldsOf(parsedBefore(context))
      try {
        await past(context)
      } catch (error) {
        throw unreadable(error, limits)
      }
      return fieldsOf(context.request.body)
    },
    async withFiles(context, taken) {
      if (!context.is('multipart') || wasRead(context)) {
        return { fields: await this.fields(context), files: [], discard: async () => {} }
      }
      const directory = await mkdtemp(path.join(taken.directory ?? tmpdir(), 'incoming-'))
      let count = 0
      const discard = () => rm(directory, { recursive: true, force: true })
      const read = reader(limits, {
        maxFiles: taken.files,
        maxFileSize: taken.fileSize,
        maxTotalFileSize: taken.fileSize * taken.files,
        uploadDir: directory,
        // No name that a client says ever becomes a path. Files are done in any order; this is the one they came in.
        filename: () => String(count++),
      })
      try {
        await orIdle(read(context), context, taken.idle)
        return { fields: fieldsOf(context.request.body), files: filesOf(context), discard }
      } catch (error) {
        await discard()
        throw unreadable(error, limits, taken)
      }
    },
  }
}

/** Reads the body once into `context.request`. */
function reader(limits: BodyLimits, files: FormidableOptions): (context: Context) => Promise<void> {
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
      minFileSize: 0,
      allowEmptyFiles: true,
      onPart: (part, handle) => {
        // What has a file name is a file and what has none is a field, whatever type it says.
        if (part.originalFilename === null) part.mimetype = null
        else part.mimetype ??= 'application/octet-stream'
        return handle(part)
      },
      ...files,
    },
  })
  return (context) => read(context, async () => {})
}

function fieldsOf(body: unknown): Fields {
  checkDepth(body)
  return isObject(body) ? body : {}
}

function filesOf({ request }: Context): readonly ReceivedFile[] {
  const files = Object.entries(request.files ?? {}).flatMap(([field, files]) =>
    [files].flat().map(({ originalFilename, size, filepath }) => ({
      field,
      name: originalFilename ?? '',
      size,
      path: filepath,
    })),
  )
  return files
    .filter(({ name, size }) => name !== '' || size > 0)
    .sort((a, b) => Number(path.basename(a.path)) - Number(path.basename(b.path)))
}

/** @throws OctavoError (408) when nothing arrives for so long. */
async function orIdle(reading: Promise<void>, context: Context, idle: number): Promise<void> {
  const { req, res } = context
  const given = new Promise<never>((_, reject) => {
    req.setTimeout(idle, () => {
      // The answer goes out; then whoever is that slow is not waited for.
      res.once('finish', () => req.destroy())
      context.set('Connection', 'close')
      const message = `Nothing arrived for ${idle} ms; the body was given up.`
      reject(new OctavoError('RequestTimeoutError', 408, 'body/timeout', message, {}))
    })
  })
  try {
    await Promise.race([reading, given])
  } finally {
    req.setTimeout(0)
    // What is given up may still fail in its own way, of which nobody needs to hear.
    reading.catch(() => {})
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
const filesTooLarge = 1009
const tooManyFiles = 1015
const fileTooLarge = 1016

function unreadable(error: unknown, limits: BodyLimits, taken?: FileLimits): unknown {
  if (!(error instanceof Error) || error instanceof OctavoError) return error
  const { fields } = limits
  const { name, code, status, httpCode } = error as ReadingError
  if (status === 413 || httpCode === 413 || code === fileTooLarge)
    return new PayloadTooLargeError('body/too-large', tooLarge(code, limits, taken), {}, error)
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

function tooLarge(
  code: string | number | undefined,
  { bodySize, fields, skippedFiles }: BodyLimits,
  taken: FileLimits | undefined,
): string {
  switch (code) {
    case tooManyFields:
      return `The body has more than ${fields} fields.`
    case tooManyFiles:
      return `The body has more than ${taken?.files ?? fields} files.`
    case filesTooLarge:
    case fileTooLarge:
      return `A file of the body is larger than ${taken?.fileSize ?? skippedFiles} bytes.`
    default:
      return `The body is larger than ${bodySize} bytes.`
  }
}

/** `Z_DATA_ERROR`, and of brotli `ERR__ERROR_FORMAT_...`. */
const isOfZlib = (code: unknown): boolean =>
  typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ERR__ERROR_'))
