import { DefinitionError, type LocatedMistake } from '../definition-error.ts'

/** Notes a mistake; the path leads to it from the definition, e.g. `['attributes', 'author', 'target']`. */
export type Report = (path: readonly string[], message: string) => void

/** What is wrong with all definitions together. */
export class Mistakes {
  readonly #list: LocatedMistake[] = []
  readonly #warnings: string[] = []

  /** Sentences about what does no harm to the rest. */
  get warnings(): readonly string[] {
    return this.#warnings
  }

  /** For what is a mistake in code, and may stand in a file that another program wrote: there it is a warning. */
  unless(isFile: boolean, source: string): Report {
    if (!isFile) return this.from(source)
    return (path, message) => void this.#warnings.push(`${source}: ${path.map(step).join('.')}: ${message}`)
  }

  from(source: string): Report {
    return (path, message) => {
      this.#list.push({ source, path: path.map(step).join('.'), message })
    }
  }

  /** @throws DefinitionError when there is any. */
  throwIfAny(): void {
    if (this.#list.length > 0) throw new DefinitionError(this.#list)
  }
}

/** A name that is none is quoted, so that it cannot pretend to be a path or a line of its own. */
const step = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))
