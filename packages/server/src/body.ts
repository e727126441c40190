import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { isObject, OctavoError } from '@octavo/core'
import { errors } from 'formidable'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { parsedBefore, wasRead } from './parsed-body.ts'
import { problem } from './problems.ts'

export interface BodyLimits {
  /** Bytes of a JSON or form body, unpacked, and of the fields of a multipart body. Default 1,048,576. */
  readonly bodySize: number
  /** Fields of a form or multipart body. Default 1,000. */
  readonly fields: number
  /** Bytes of files that are skipped in a multipart body without a file handler. Default 209,715,200. */
  readonly skippedFiles: number
}

export const defaultBodyLimits: BodyLimits = {
  bodySize: 1_048_576,
  fields: 1_000,
  skippedFiles: 200 * 1_048_576,
}

/** Levels of brackets that a name in a form may have. */
const formDepth = 20

/** Levels of lists and objects that a body may have; a JSON attribute may have 200. */
const bodyDepth = 256

/** The limits of the plugin that receives the files. */
export interface FileLimits {
  /** Bytes of one file. */
  readonly fileSize: number
  /** Files of one body. */
  readonly files: number
  /** Milliseconds that may pass without a byte before the request is a 408. */
  readonly idle: number
  /** The folder that files are received into. Default: the system's folder for temporary files. */
  readonly directory?: string
}

/** A received file on the disk. Its name is the client's and must not be trusted. */
export interface ReceivedFile {
  /** Name of the part: `files`, `files.cover`. */
  readonly field: string
  /** The file name that the client sent. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Path of the file until {@link Received.discard}. The handler may move the file. */
  readonly path: string
}

export type Fields = Readonly<Record<string, unknown>>

/** A body with its files. */
export interface Received {
  readonly fields: Fields
  /** In the order of the body; parts without a chosen file are left out. */
  readonly files: readonly ReceivedFile[]
  /** Removes the files that were not moved. Must always be called. */
  discard(): Promise<void>
}

/** Reads bodies. All methods throw an OctavoError with status 400, 408, 413 or 415 for a body that cannot be read. */
export interface Bodies {
  /** The fields of a body, as JSON, form or multipart; empty without a body. Files are skipped. */
  fields(context: Context): Promise<Fields>
  /** The fields and files of a multipart body. No file stays on the disk when it throws. */
  withFiles(context: Context, limits: FileLimits): Promise<Received>
}

type FormidableOptions = NonNullable<NonNullable<Parameters<typeof koaBody>[0]>['formidable']>

export function bodies(limits: BodyLimits): Bodies {
  // Only the handler of a plugin receives files; otherwise they are skipped and never written to disk.
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
    async withFiles(context, files) {
      if (!context.is('multipart') || wasRead(context)) {
        return { fields: await this.fields(context), files: [], discard: async () => {} }
      }
      const directory = await mkdtemp(path.join(files.directory ?? tmpdir(), 'incoming-'))
      let count = 0
      const discard = () => rm(directory, { recursive: true, force: true })
      const read = reader(limits, {
        maxFiles: files.files,
        maxFileSize: files.fileSize,
        maxTotalFileSize: files.fileSize * files.files,
        uploadDir: directory,
        // The path never contains a name from the client. Files finish in any order; this index is their order in the body.
        filename: () => String(count++),
      })
      try {
        await orIdle(read(context), context, files.idle)
        return { fields: fieldsOf(context.request.body), files: filesOf(context), discard }
      } catch (error) {
        await discard()
        throw unreadable(error, limits, files)
      }
    },
  }
}

/**
 * Reads the body once into `context.request`. koa-body parses JSON and forms as well, and multipart bodies with formidable,
 * which enforces the limits below; busboy would replace formidable only, and leave the writing of files to this package.
 */
function reader(limits: BodyLimits, files: FormidableOptions): (context: Context) => Promise<void> {
  const read = koaBody({
    jsonLimit: limits.bodySize,
    formLimit: limits.bodySize,
    textLimit: limits.bodySize,
    multipart: true,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never, // the names of koa-body's enum of methods
    // Without these options qs silently truncates input above its limits.
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
        // A part with a file name is a file, a part without one is a field, whatever its content type.
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

/** @throws OctavoError (408) when no byte arrives for `idle` milliseconds. */
async function orIdle(reading: Promise<void>, context: Context, idle: number): Promise<void> {
  const { req, res } = context
  const given = new Promise<never>((_, reject) => {
    req.setTimeout(idle, () => {
      // Sends the answer, then closes the connection without waiting for the rest of the body.
      res.once('finish', () => req.destroy())
      context.set('Connection', 'close')
      reject(problem('body/timeout', { time: idle }))
    })
  })
  try {
    await Promise.race([reading, given])
  } finally {
    req.setTimeout(0)
    // The abandoned read may still reject; that rejection is ignored.
    reading.catch(() => {})
  }
}

/**
 * Iterates instead of recursing, so that later recursive code has a bounded depth.
 *
 * @throws ValidationError when lists and objects go deeper than any body may
 */
export function checkDepth(body: unknown): void {
  let level = nested([body])
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > bodyDepth) throw problem('body/too-deep', { limit: bodyDepth })
    level = nested(level.flatMap((value) => Object.values(value)))
  }
}

const nested = (values: readonly unknown[]): readonly object[] =>
  values.filter((value) => typeof value === 'object' && value !== null)

/** The error properties of raw-body, formidable and zlib. */
interface ReadingError extends Error {
  readonly status?: number
  readonly httpCode?: number
  readonly code?: string | number
}

function unreadable(error: unknown, limits: BodyLimits, files?: FileLimits): unknown {
  if (!(error instanceof Error) || error instanceof OctavoError) return error
  const { fields } = limits
  const { name, code, status, httpCode } = error as ReadingError
  if (status === 413 || httpCode === 413 || code === errors.biggerThanMaxFileSize)
    return problem('body/too-large', { message: tooLarge(code, limits, files) }, { cause: error })
  if (name === 'SyntaxError') return problem('body/malformed', {}, { cause: error })
  if (error instanceof RangeError)
    return problem('body/bad-form', { parameters: fields, depth: formDepth }, { cause: error })
  const isOfClient =
    code === errors.aborted ||
    [status, httpCode].some((value) => value !== undefined && value >= 400 && value !== 500) ||
    isOfZlib(code)
  if (!isOfClient) return error
  return status === 415
    ? problem('request/refused', { status, message: badEncoding }, { cause: error })
    : problem('request/refused', { message: 'The body cannot be read.' }, { cause: error })
}

const badEncoding =
  'The body is packed in a way that is not read; send it as it is, or in gzip, deflate or br.'

function tooLarge(
  code: string | number | undefined,
  { bodySize, fields, skippedFiles }: BodyLimits,
  files: FileLimits | undefined,
): string {
  switch (code) {
    case errors.maxFieldsExceeded:
      return `The body has more than ${fields} fields.`
    case errors.maxFilesExceeded:
      return `The body has more than ${files?.files ?? fields} files.`
    case errors.biggerThanTotalMaxFileSize:
    case errors.biggerThanMaxFileSize:
      return `A file of the body is larger than ${files?.fileSize ?? skippedFiles} bytes.`
    default:
      return `The body is larger than ${bodySize} bytes.`
  }
}

/** `Z_DATA_ERROR`, and of brotli `ERR__ERROR_FORMAT_...`. */
const isOfZlib = (code: unknown): boolean =>
  typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ERR__ERROR_'))
