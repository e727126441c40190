/**
 * Names for prepared statements. A connection keeps every statement that it was ever given a name for, and texts come
 * from what clients ask: so only the first `limit` texts that came twice get a name, and the rest run unnamed (parsed
 * anew each time, which is all they lose). Without the bound, clients could fill the server's memory.
 *
 * @param limit default 500: with 10 connections that is up to 5,000 plans of some 10 to 100 kB each.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  /** Texts that came once. Forgotten all at once when there are too many: a text that matters comes again. */
  readonly #once = new Set<string>()
  readonly #limit: number

  constructor(limit = 500) {
    this.#limit = limit
  }

  of(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name || this.#names.size >= this.#limit) return name
    if (!this.#once.delete(text)) {
      if (this.#once.size >= this.#limit) this.#once.clear()
      this.#once.add(text)
      return undefined
    }
    const given = `octavo_${this.#names.size + 1}`
    this.#names.set(text, given)
    return given
  }
}
