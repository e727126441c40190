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
export const formDepth = 20

/** Levels of lists and objects that a body may have; a JSON attribute may have 200. */
export const bodyDepth = 256

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
