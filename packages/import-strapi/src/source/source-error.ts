import { ImportError } from '@octavo/core'

/** The source cannot be read: it is truncated, encrypted with another key, or not an export. */
export class SourceError extends ImportError {
  constructor(message: string, cause?: unknown) {
    super([message], false, cause)
    this.name = 'SourceError'
  }
}
