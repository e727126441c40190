/**
 * The limits of one request. A request over a limit gets a 400, 413 or 503 that names it. No response is truncated,
 * except by `listRows`. Lengths are in characters, times in milliseconds.
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
  /** Relations, components and zone items that a query populates in total. Default 500. */
  readonly populateNodes: number
  /** Comparisons and groups in the `filters` of a request in total; each element of a list counts. Default 2,000. */
  readonly filterNodes: number
  /** Terms of one `sort`. Default 50. */
  readonly sortTerms: number
  /** Relations and components in one path of `filters` or `sort`. Default 20. */
  readonly pathSteps: number
  /** To-many steps in one path: each multiplies the number of rows read. Default 6. */
  readonly manySteps: number
  /** Relations and components in all paths of a request. Default 500. */
  readonly requestSteps: number
  /** Tables that one statement reads: of relations and components in `filters`, `sort` and `populate`. Default 300. */
  readonly tables: number
  /** Comparisons of one statement, also those of plugins. Default 500. */
  readonly comparisons: number
  /** Populated lists within each other, of relations, repeatable components and dynamic zones. Default 6. */
  readonly listLevels: number
  /** Characters of `_q`, and of all texts in `filters` that are searched for within others (`$contains`, `$endsWith`). Default 1,000. */
  readonly searchLength: number
  /** Entries and components in one response, at any depth. Default 50,000. */
  readonly answerRows: number
  /** Bytes of the JSON of one response. Default 33,554,432 (32 MiB). */
  readonly answerBytes: number
  /**
   * Entries of one populated list. `Infinity` returns whole lists, as clients of the reference server expect; otherwise
   * only the first entries are returned. Default `Infinity`.
   */
  readonly listRows: number
  /** Timeout of one statement on a PostgreSQL server, which cancels it. Default 15,000. */
  readonly statementTime: number
  /**
   * Timeout of one read on the embedded database, which runs in the process of the server: nothing else runs meanwhile. The
   * statement checks the time itself. Default 1,000, and 150 with `NODE_ENV=production`.
   */
  readonly embeddedStatementTime: number
  /**
   * Time for one write, with its hooks, and for a transaction of a program between two of its statements; what takes longer is undone and
   * answered with a 503. PostgreSQL ends a transaction that waits 10 s longer than this for a process that hangs. Default 60,000.
   */
  readonly transactionTime: number
  /** Time to open a database connection, and to wait for one of the few for heavy statements. Default 15,000. */
  readonly connectionTime: number
  /**
   * Expected wait for a database connection above which a request is refused at once: with a 503, or a 429 when others wait who
   * have used less. Half of it applies while the queue has not been empty for this time. A request that waits longer than expected is refused after ten times this time. Default 1,000.
   */
  readonly queueTime: number
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
  tables: 300,
  comparisons: 500,
  listLevels: 6,
  searchLength: 1_000,
  answerRows: 50_000,
  answerBytes: 33_554_432,
  listRows: Number.POSITIVE_INFINITY,
  statementTime: 15_000,
  embeddedStatementTime: process.env.NODE_ENV === 'production' ? 150 : 1_000,
  transactionTime: 60_000,
  connectionTime: 15_000,
  queueTime: 1_000,
})
