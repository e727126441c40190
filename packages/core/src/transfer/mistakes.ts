import { ImportError } from './import-error.ts'
import { describe, type Place } from './import-place.ts'
import { RefusedRow } from './row-writer.ts'

/** Maximum mistakes before the import is aborted. */
export const maxMistakes = 20

/** The mistakes in the data of an import, one sentence each. */
export class ImportMistakes {
  readonly #found: string[] = []

  /** @throws ImportError with all mistakes, at {@link maxMistakes}. */
  add(text: string): void {
    this.#found.push(text)
    if (this.#found.length >= maxMistakes) throw new ImportError(this.#found, true)
  }

  /** @throws ImportError */
  throwIfAny(): void {
    if (this.#found.length > 0) throw new ImportError(this.#found)
  }

  /** @returns an ImportError that names the entry, for a row that the database rejected; any other error unchanged. */
  explain(error: unknown): unknown {
    if (!(error instanceof RefusedRow)) return error
    const place = error.origin as Place | undefined // the argument that EntryRows passes to the writers
    const text = place ? `${describe(place)}, ${error.message}.` : `${error.message}.`
    return new ImportError([...this.#found, text], false, error)
  }
}
