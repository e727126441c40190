import { PayloadTooLargeError, ValidationError } from '@octavo/core'

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
