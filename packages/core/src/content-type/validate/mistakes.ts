import { DefinitionError, type LocatedMistake } from '../definition-error.ts'

/** Notes a mistake; the path leads to it from the definition, e.g. `['attributes', 'author', 'target']`. */
export type Report = (path: readonly string[], message: string) => void

/** What is wrong with all definitions together. */
export class Mistakes {
  readonly #list: LocatedMistake[] = []

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
