import { OctavoError } from '@octavo/core'
import type { errors as formidableErrors } from 'formidable'
import { malformed } from '../error/malformed.ts'
import { problem } from '../error/problems.ts'
import { type BodyLimits, type FileLimits, formDepth } from './body-limits.ts'

/** The error properties of raw-body, formidable and zlib. */
interface ReadingError extends Error {
  readonly status?: number
  readonly httpCode?: number
  readonly code?: string | number
  /** The text that co-body could not parse. */
  readonly body?: string
}

/** Translates an error of the parsers to the error for the client; other errors are returned unchanged. */
export async function unreadable(error: unknown, limits: BodyLimits, files?: FileLimits): Promise<unknown> {
  if (!(error instanceof Error) || error instanceof OctavoError) return error
  // Loaded with koa-body, not at start.
  const { errors } = await import('formidable')
  const { fields } = limits
  const { name, code, status, httpCode, body } = error as ReadingError
  if (status === 413 || httpCode === 413 || code === errors.biggerThanMaxFileSize)
    return problem('body/too-large', { message: tooLarge(code, limits, files, errors) }, { cause: error })
  if (name === 'SyntaxError') return malformed(body, error)
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
  errors: typeof formidableErrors,
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
