import { OctavoError, PayloadTooLargeError, ValidationError } from '@octavo/core'

/** What a client may be told of an upload that is not taken. */
export type UploadProblem =
  | 'upload/empty'
  | 'upload/bad-name'
  | 'upload/bad-info'
  | 'upload/bad-reference'
  | 'upload/type'
  | 'upload/broken-image'
  | 'upload/one-file'
  | 'upload/bad-variant'
  | 'upload/too-many'

export const refused = (code: UploadProblem, message: string, cause?: unknown): ValidationError =>
  new ValidationError(code, message, {}, cause)

export const tooManyPixels = (limit: number): PayloadTooLargeError =>
  new PayloadTooLargeError('upload/too-many-pixels', `A picture may have at most ${limit} pixels.`)

/** @param time Milliseconds. */
export const tooLong = (time: number): PayloadTooLargeError =>
  new PayloadTooLargeError(
    'upload/picture-time',
    `The picture takes longer than ${time} ms to decode and encode. Send a smaller one, or another format.`,
  )

/** 501: a picture came, and the server has nothing that reads it. */
export const noCodec = (): OctavoError =>
  new OctavoError(
    'NotImplementedError',
    501,
    'upload/no-codec',
    'This server takes no pictures: it needs the package sharp. Install it with "npm install sharp".',
    {},
  )
