import { LRUCache } from 'lru-cache'
import type { PreparedFigures } from '../store/store.ts'

export interface PreparedLimits {
  /** Uses of a text before it is prepared. Default 3. */
  readonly admission?: number
  /** Maximum characters of a prepared text. Default 20,000. */
  readonly longest?: number
  /** Prepared statements per connection. Default 250. */
  readonly names?: number
  /** Characters of all prepared texts per connection. Default 500,000. */
  readonly characters?: number
}

/** Number of texts whose uses are counted, and their total characters. */
const countedTexts = 10_000
const countedCharacters = 8_000_000

/**
 * Decides which statements are prepared under a name, for a pool of connections.
 *
 * PostgreSQL stores a named statement, with its plan, until the connection ends: about 130 bytes per character of the
 * text. Clients determine the texts, so both their number and size are bounded per connection, and the least recently
 * used name is evicted. A text is named at its third use, so that rare texts evict nothing. An unnamed statement is only
 * slower: it is parsed and planned on each run.
 */
export class PreparedStatements {
  readonly #uses = new LRUCache<string, number>({
    maxSize: countedCharacters,
    // With `max` the cache would allocate the place of all entries at once.
    sizeCalculation: (_, text) => text.length + countedCharacters / countedTexts,
  })
  readonly #limits: Required<PreparedLimits>
  #evicted = 0
  #named = 0
  #unnamed = 0

  constructor(limits: PreparedLimits = {}) {
    this.#limits = { admission: 3, longest: 20_000, names: 250, characters: 500_000, ...limits }
  }

  get figures(): PreparedFigures {
    return { named: this.#named, evicted: this.#evicted, unnamed: this.#unnamed }
  }

  /** The names of one connection; call {@link ConnectionNames.forget} when the connection ends. */
  connection(): ConnectionNames {
    const { names, characters } = this.#limits
    return new ConnectionNames(names, characters, {
      admits: (text) => this.#admits(text),
      count: (named, evicted, unnamed) => {
        this.#named += named
        this.#evicted += evicted
        this.#unnamed += unnamed
      },
    })
  }

  #admits(text: string): boolean {
    const { longest, admission } = this.#limits
    if (text.length > longest) return false
    const uses = (this.#uses.get(text) ?? 0) + 1
    this.#uses.set(text, uses)
    return uses >= admission
  }
}

interface Shared {
  readonly admits: (text: string) => boolean
  readonly count: (named: number, evicted: number, unnamed: number) => void
}

/** The prepared statements of one connection, by text. */
export class ConnectionNames {
  readonly #names: LRUCache<string, string>
  readonly #shared: Shared
  /** Evicted names that are still prepared on the connection. */
  #evicted: string[] = []
  #given = 0
  #unnamed = 0

  constructor(names: number, characters: number, shared: Shared) {
    this.#shared = shared
    this.#names = new LRUCache({
      max: names,
      maxSize: characters,
      sizeCalculation: (_, text) => text.length + 1,
      dispose: (name, _, reason) => {
        if (reason === 'evict') {
          this.#evicted.push(name)
          shared.count(-1, 1, 0)
        }
      },
    })
  }

  /** The name for a text, if any. A name is never reused for another text. */
  of(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (!this.#shared.admits(text)) {
      this.#unnamed += 1
      this.#shared.count(0, 0, 1)
      return undefined
    }
    this.#given += 1
    const name = `octavo_${this.#given}`
    this.#names.set(text, name)
    this.#shared.count(1, 0, 0)
    return name
  }

  /** Unnamed statements of this connection: an upper bound of the shapes that it ran besides the named ones. */
  get unnamed(): number {
    return this.#unnamed
  }

  get hasEvicted(): boolean {
    return this.#evicted.length > 0
  }

  /** Names to deallocate before the next statement; each is returned once. */
  takeEvicted(): readonly string[] {
    const evicted = this.#evicted
    this.#evicted = []
    return evicted
  }

  /** Removes the connection's names from the figures; call it when the connection ends. */
  forget(): void {
    this.#shared.count(-this.#names.size, 0, 0)
    this.#names.clear()
  }
}
