import { recognisable } from '@octavo/database'

export interface LocatedMistake {
  /** The file of the definition, or its uid. */
  readonly source: string
  /** The path within it, e.g. `attributes.author.target`; empty for the whole definition. */
  readonly path: string
  /** The mistake, and the valid values. */
  readonly message: string
}

/** The definitions are invalid. Contains all mistakes, not only the first. */
export class DefinitionError extends Error {
  readonly mistakes: readonly LocatedMistake[]

  constructor(mistakes: readonly LocatedMistake[]) {
    super(
      `${mistakes.length === 1 ? 'A mistake' : `${mistakes.length} mistakes`} in the content-types:\n${mistakes.map(line).join('\n')}`,
    )
    this.name = 'DefinitionError'
    this.mistakes = Object.freeze(mistakes.map((mistake) => Object.freeze({ ...mistake })))
  }
}

const line = ({ source, path, message }: LocatedMistake): string =>
  `  ${[source, path, message].filter((part) => part !== '').join(': ')}`

recognisable(DefinitionError, 'DefinitionError')
