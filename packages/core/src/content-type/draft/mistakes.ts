import { DefinitionError, type LocatedMistake } from '../definition/definition-error.ts'

/** Reports a mistake at a path within the definition, e.g. `['attributes', 'author', 'target']`. */
export type ReportMistake = (path: readonly string[], message: string) => void

/** The mistakes in all definitions. */
export class DefinitionMistakes {
  readonly #list: LocatedMistake[] = []
  readonly #warnings: string[] = []

  /** Warnings, as sentences. */
  get warnings(): readonly string[] {
    return this.#warnings
  }

  /** Reports a mistake in code, or a warning in a file, which another program may have written. */
  unless(isFile: boolean, source: string): ReportMistake {
    if (!isFile) return this.from(source)
    return (path, message) => void this.#warnings.push(`${source}: ${path.map(step).join('.')}: ${message}`)
  }

  from(source: string): ReportMistake {
    return (path, message) => {
      this.#list.push({ source, path: path.map(step).join('.'), message })
    }
  }

  /** @throws DefinitionError when there are mistakes. */
  throwIfAny(): void {
    if (this.#list.length > 0) throw new DefinitionError(this.#list)
  }
}

/** An invalid name is quoted, so that it cannot be mistaken for a path or a line. */
const step = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))
