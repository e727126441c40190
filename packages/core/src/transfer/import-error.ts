import { recognisable } from '../error/recognisable.ts'

/** The data cannot be imported; nothing of it was. `mistakes` has one sentence each, with the entry that it is about. */
export class ImportError extends Error {
  readonly mistakes: readonly string[]

  /** @param more Whether there are further mistakes that were not looked for. */
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

/** The data was to go into an empty database only, and this one has entries. */
export class NotEmptyError extends ImportError {}

recognisable(ImportError, 'ImportError')
recognisable(NotEmptyError, 'NotEmptyError')
