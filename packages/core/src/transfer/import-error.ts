import { recognisable } from '@octavo/database'

/** The data cannot be imported; nothing was written. `mistakes` has one sentence per mistake, with its entry. */
export class ImportError extends Error {
  readonly mistakes: readonly string[]

  /** @param more Whether the check stopped before all mistakes were found. */
  constructor(mistakes: readonly string[], more = false, cause?: unknown) {
    const [first] = mistakes
    const list = mistakes.map((mistake) => `\n- ${mistake}`).join('')
    super(
      mistakes.length === 1 && !more
        ? `Nothing was imported: ${first}`
        : `Nothing was imported:${list}${more ? '\n- and maybe more' : ''}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = 'ImportError'
    this.mistakes = mistakes
  }
}

/** @returns the error; the message of one in the data names their file. */
export function inFile(error: unknown, file: string): unknown {
  if (error instanceof ImportError)
    error.message = error.message.replace(/^Nothing was imported/, () => `Nothing was imported from ${file}`)
  return error
}

/** The import requires an empty database, and the database has entries. */
export class NotEmptyError extends ImportError {}

recognisable(ImportError, 'ImportError')
recognisable(NotEmptyError, 'NotEmptyError')
