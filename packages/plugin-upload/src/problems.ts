import {
  ApplicationError,
  type Mistake,
  NotFoundError,
  type OctavoError,
  PayloadTooLargeError,
  ServiceUnavailableError,
  ValidationError,
} from '@octavo/core'
import { asGiven } from '@octavo/core/internal'
import { defineProblems, errorClass } from '@octavo/core/plugin'

/** 501: the request needs an optional package that is not installed. */
const NotImplementedError = errorClass('NotImplementedError', 501)

/** 409 */
const ConflictError = errorClass('ConflictError', 409)

/** The problems of files. */
export const problem = defineProblems({
  'upload/empty': {
    error: ValidationError,
    message: (d: { field?: string }) =>
      d.field === undefined
        ? 'Files are empty'
        : `Files are empty: a file is a part with the name "files", not "${d.field.slice(0, 100)}".`,
    when: 'no file with the name `files` in an upload, or one without content',
  },
  'upload/bad-name': {
    error: ApplicationError,
    message: asGiven,
    when: 'a file name that some file systems do not allow, or that is too long',
  },
  'upload/bad-info': {
    error: ValidationError,
    message: asGiven,
    when: 'a `fileInfo` that is not JSON of the right form',
  },
  'upload/bad-reference': {
    error: ValidationError,
    message: asGiven,
    when: '`ref`, `refId`, `field` or a part `files.…` that leads to no media attribute, or two files for an attribute that takes one',
  },
  'upload/type': {
    error: ValidationError,
    message: asGiven,
    when: 'a type of file that is not allowed, or not in that attribute; an SVG that is too large or too deep to be sanitised',
  },
  'upload/broken-image': {
    error: ValidationError,
    message: 'The picture cannot be read: it is damaged or cut off.',
    when: 'a picture that cannot be read',
  },
  'upload/too-many-pixels': {
    error: PayloadTooLargeError,
    message: (d: { limit: number }) => `A picture may have at most ${d.limit} pixels.`,
    when: 'a picture over `limits.pixels`, or over `limits.pixelsByType` of its type',
  },
  'upload/picture-time': {
    error: PayloadTooLargeError,
    message: (d: { time: number }) =>
      `The picture takes longer than ${d.time} ms to work on. Send a smaller one, or another format.`,
    when: 'a picture that takes longer than `limits.pictureTime` to decode and encode, or an SVG to sanitise',
  },
  'upload/no-codec': {
    error: NotImplementedError,
    message:
      'This server cannot process pictures: it needs the package sharp. Install it with "npm install sharp".',
    when: 'a picture, and the package sharp is not installed',
  },
  'upload/busy': {
    error: ServiceUnavailableError,
    message: 'Too many of your pictures are waiting to be worked on. Send the next ones when these are done.',
    when: 'more pictures of one caller are waiting than `limits.waitingPictures`',
  },
  'upload/unavailable': {
    error: ServiceUnavailableError,
    message: 'The server cannot work on pictures at present. Send the picture again later.',
    when: 'the process that works on pictures does not start, or ends before it is done',
  },
  'upload/storage-unavailable': {
    error: ServiceUnavailableError,
    message:
      'The storage of files does not answer as it should. Nothing was stored; send the request again later.',
    when: 'the bucket of `s3()` is slow, busy or away, or has not what it accepted; the reason is in the log',
  },
  'upload/one-file': {
    error: ValidationError,
    message: 'Send exactly one file to replace a file.',
    when: 'several files to replace one',
  },
  'upload/bad-variant': {
    error: ValidationError,
    message: asGiven,
    when: 'a size or format that is not offered',
  },
  'upload/too-many': {
    error: ValidationError,
    message: (d: { limit: number }) =>
      `There are more than ${d.limit} files: request a page of them, e.g. ?pagination[start]=0&pagination[limit]=1000`,
    when: 'a list of all files where there are more than 10,000; use pages',
  },
  'upload/bad-folder': {
    error: ValidationError,
    message: asGiven,
    when: 'a name or a place that a folder of files cannot have',
  },
  'upload/bad-uses': {
    error: ValidationError,
    message: asGiven,
    when: 'a parameter of `/upload/uses` that it cannot have, or more than 1,000 files whose uses are asked for',
  },
  'upload/too-deep': {
    error: ValidationError,
    message: (d: { limit: number }) => `Folders may be nested at most ${d.limit} levels deep.`,
    when: 'a folder within more than 50 others',
  },
  'upload/too-many-folders': {
    error: ValidationError,
    message: (d: { limit: number }) => `There may be at most ${d.limit} folders.`,
    when: 'a new folder where there are 20,000',
  },
  'upload/too-many-moved': {
    error: ValidationError,
    message: (d: { limit: number }) => `A request moves at most ${d.limit} files.`,
    when: 'more than 1,000 files to move in one request',
  },
  'upload/full-folder': {
    error: ValidationError,
    message: (d: { limit: number }) =>
      `There are more than ${d.limit} files in this folder. Delete or move some of them first.`,
    when: 'a folder to delete with more than 1,000 files in it',
  },
  'upload/changed-folder': {
    error: ConflictError,
    message: 'A file was added to this folder in the meantime. Delete the folder again.',
    when: 'a file that arrives in a folder while it is deleted',
  },
  'upload/not-found': {
    error: NotFoundError,
    message: (d: { message?: string }) => d.message ?? 'Not Found',
    when: 'no such file or folder',
  },
})

/**
 * A mistake in `fileInfo`, with its place.
 * @param at The key in it. Default: all of it
 */
export function badInfo(message: string, at: readonly string[] = [], cause?: unknown): OctavoError {
  const mistake: Mistake = { path: ['fileInfo', ...at], message, name: 'ValidationError' }
  return problem('upload/bad-info', { message }, { details: { errors: [mistake] }, cause })
}
