import { hasUnknownOutcome, OctavoError, recognisable, whyUnreachable } from '@octavo/database'

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

/**
 * @returns the error of a transaction that was rolled back; the message of one that is no mistake of the data, such as a connection that broke or
 * a full disk, begins with the words of {@link ImportError}.
 */
export function undone(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || hasUnknownOutcome(error)) return error
  const isLost = error instanceof OctavoError && error.code === 'database/unavailable'
  const reason = isLost ? ` It is gone: ${whyUnreachable(error.cause)}.` : ''
  error.message = `Nothing was imported: ${error.message}${reason}`
  return error
}

/** @returns the error; its message names the file where it says that nothing was imported. */
export function inFile(error: unknown, file: string): unknown {
  if (error instanceof Error)
    error.message = error.message.replace(/^Nothing was imported/, () => `Nothing was imported from ${file}`)
  return error
}

/** The import requires an empty database, and the database has entries. */
export class NotEmptyError extends ImportError {}

recognisable(ImportError, 'ImportError')
recognisable(NotEmptyError, 'NotEmptyError')
