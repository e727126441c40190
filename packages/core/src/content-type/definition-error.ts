import { recognisable } from '../error/recognisable.ts'

export interface LocatedMistake {
  /** The file, or what else tells the definition: its uid. */
  readonly source: string
  /** Where in it, e.g. `attributes.author.target`; empty for the whole. */
  readonly path: string
  /** What is wrong, and what would be right. */
  readonly message: string
}

/** The definitions cannot be used. Holds everything that is wrong with them, not only the first mistake. */
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
