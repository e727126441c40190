import { LRUCache } from 'lru-cache'

/** Statements by name over all connections of a pool, since it was opened where nothing else is said. */
export interface PreparedFigures {
  /** Names that connections hold now. */
  readonly named: number
  /** Names that were given up for others. */
  readonly evicted: number
  /** Statements that ran without a name. */
  readonly unnamed: number
}

export interface PreparedLimits {
  /** Uses from which on a text is named. Default 3. */
  readonly admission?: number
  /** Characters of the longest text that is named. Default 20,000. */
  readonly longest?: number
  /** Names on one connection. Default 250. */
  readonly names?: number
  /** Characters of all texts that have a name on one connection. Default 500,000. */
  readonly characters?: number
}

/** Texts whose uses are counted, and their characters in all. */
const countedTexts = 10_000
const countedCharacters = 8_000_000

/**
 * Decides which statements are prepared under a name, for a pool of connections.
 *
 * PostgreSQL keeps a named statement, with its plan, until the connection ends: some 130 bytes for each character of the
 * text. Texts come from what clients ask, so both number and size are bounded on each connection, and the least recently
 * used name is given up. A text gets a name at its third use, so that texts that do not come again displace nothing. A
 * statement without a name is parsed and planned anew each time, which is all that it loses.
 */
export class PreparedStatements {
  readonly #uses = new LRUCache<string, number>({
    max: countedTexts,
    maxSize: countedCharacters,
    sizeCalculation: (_, text) => text.length + 1,
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

  /** The names of one connection, which must be {@link ConnectionNames.forget forgotten} when it ends. */
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

/** The statements that one connection has prepared, by their texts. */
export class ConnectionNames {
  readonly #names: LRUCache<string, string>
  readonly #shared: Shared
  /** Names that were given up and that the connection still holds. */
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

  /** The name to run a text under, if any. Names are never used again for another text. */
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

  /** Statements that ran here without a name: at most so many different shapes that the connection met besides its names. */
  get unnamed(): number {
    return this.#unnamed
  }

  /** Names to deallocate before the next statement; handed out once. */
  takeEvicted(): readonly string[] {
    if (this.#evicted.length === 0) return this.#evicted
    const evicted = this.#evicted
    this.#evicted = []
    return evicted
  }

  /** The connection has ended. */
  forget(): void {
    this.#shared.count(-this.#names.size, 0, 0)
    this.#names.clear()
  }
}
