/**
 * What one request may ask for. A bound that is hit is a 400, 413 or 503 that names it, and no answer is cut, but for
 * `listRows`.
 * Lengths in characters, times in milliseconds.
 */
export interface Limits {
  /** Characters in the query string. Default 65,536. */
  readonly queryLength: number
  /** `name=value` pairs in the query string. Default 2,000. */
  readonly parameters: number
  /** Bracket levels of one parameter. Default 40. */
  readonly depth: number
  /** Elements of one list, at least 1,000. Default 1,000. */
  readonly listLength: number
  /** Levels of `populate` below the root. Default 20. */
  readonly populateDepth: number
  /** Relations, components and zone items that a plan populates in all. Default 500. */
  readonly populateNodes: number
  /** Comparisons and groups in the `filters` of a request in all, those of a list counted singly. Default 2,000. */
  readonly filterNodes: number
  /** Terms of one `sort`. Default 50. */
  readonly sortTerms: number
  /** Relations and components that one path of `filters` or `sort` goes through. Default 20. */
  readonly pathSteps: number
  /** Those of them that lead to many entries: each multiplies the rows that are looked at. Default 6. */
  readonly manySteps: number
  /** Relations and components that all paths of a request go through. Default 500. */
  readonly requestSteps: number
  /** Characters of `_q`. Default 1,000. */
  readonly searchLength: number
  /** Entries and components in one answer, at any depth. Default 50,000. */
  readonly answerRows: number
  /** Bytes of the JSON of one answer. Default 33,554,432 (32 MiB). */
  readonly answerBytes: number
  /**
   * Entries of one populated list, `Infinity` for whole lists, as clients of the reference server expect. A longer list
   * is cut to its first entries, as a page is. Default `Infinity`.
   */
  readonly listRows: number
  /**
   * The price of one statement: what PostgreSQL expects it to cost, in its own unit, a page read in order. Default
   * 1,000,000: some seconds. See docs/cost.md.
   */
  readonly price: number
  /** The same on the embedded database, where nothing cancels a statement. Default 100,000. */
  readonly embeddedPrice: number
  /** Time that one statement may take; PostgreSQL cancels it. Default 15,000. */
  readonly statementTime: number
  /** Time that a request waits for a database connection, and for a new one to open. Default 15,000. */
  readonly connectionTime: number
}

export const defaultLimits: Limits = Object.freeze({
  queryLength: 65_536,
  parameters: 2_000,
  depth: 40,
  listLength: 1_000,
  populateDepth: 20,
  populateNodes: 500,
  filterNodes: 2_000,
  sortTerms: 50,
  pathSteps: 20,
  manySteps: 6,
  requestSteps: 500,
  searchLength: 1_000,
  answerRows: 50_000,
  answerBytes: 33_554_432,
  listRows: Number.POSITIVE_INFINITY,
  price: 1_000_000,
  embeddedPrice: 100_000,
  statementTime: 15_000,
  connectionTime: 15_000,
})
