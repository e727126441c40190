/** The bounds that a statement enforces itself while it runs; see `compile/guards.ts`. */
export interface StatementBounds {
  /** Rows of one list, and of all lists within lists. */
  readonly rows: number
  /** Bytes of the JSON of one list. */
  readonly bytes: number
  /** Whether rows check the time, because nothing else ends a statement of the embedded database. */
  readonly checksTime: boolean
}

interface StatementOptions {
  readonly literalPages?: boolean
  readonly bounds?: StatementBounds | undefined
}

/** Table aliases in order of appearance: `t0`, `t1`... Plans of one shape have the same names. */
export class Aliases {
  /** Whether the usual pages of this statement are literals; see `hasLiteralPages`. Default: parameters. */
  readonly literalPages: boolean
  /** Default: the statement has no bounds of its own. */
  readonly bounds: StatementBounds | undefined
  /** Related tables that conditions of the statement join. */
  joined = 0
  #next = 0

  constructor({ literalPages = false, bounds }: StatementOptions = {}) {
    this.literalPages = literalPages
    this.bounds = bounds
  }

  next(): string {
    return `t${this.#next++}`
  }
}
