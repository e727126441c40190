/** The explanation of a read, as plain data: see `Octavo.explain`. */

/** A requested part that the response leaves out. */
export interface ExplainedPruning {
  /**
   * - `narrowed`: only the entries that meet `condition` are read
   * - `forbidden`: no entry of the content-type is read
   * - `hidden`: `attribute` does not exist for this caller
   * - `unknown`: `attribute` is in `populate` and there is nothing of that name to populate
   */
  readonly kind: 'narrowed' | 'forbidden' | 'hidden' | 'unknown'
  /** The plugin, or `definition` for private attributes and for names that do not exist. */
  readonly by: string
  /** The place in the query: `populate[author]`, `filters[author]`; empty for the root. */
  readonly at: string
  /** The uid of the content-type or component. */
  readonly model: string
  readonly attribute?: string
  /** In the form of `filters`; a value that depends on the request is `{ "$runtime": "user.id", "value": 7 }`. */
  readonly condition?: unknown
  /** The number of entries that the answer or its total would have in addition; for conditions at the root. Absent like `plan`. */
  readonly hides?: number
}

/** A node of the plan. */
export interface ExplainedNode {
  /** The place in the query: `populate[author]`; empty for the root. */
  readonly at: string
  readonly model: string
  readonly fields: readonly string[]
  /** The conditions of the query and of plugins, in the form of `filters`. */
  readonly where?: unknown
  /** `title:asc`, `author.name:desc`. */
  readonly sort: readonly string[]
  readonly limit?: number
  readonly offset?: number
  /** Whether only the number of entries is read. */
  readonly count?: true
  readonly children: readonly ExplainedNode[]
}

/** A step of PostgreSQL's plan. */
export interface ExplainedStep {
  /** `Seq Scan`, `Index Scan`, `Sort`. */
  readonly type: string
  readonly table?: string
  readonly index?: string
  /** The part of the statement: `SubPlan 1`. */
  readonly name?: string
  readonly estimatedRows: number
  /** Over all loops. */
  readonly rows: number
  readonly loops: number
  /** Rows that were read and did not meet the condition, over all loops. */
  readonly removedRows?: number
  /** PostgreSQL's estimate, in its cost unit. */
  readonly cost: number
  /** Milliseconds over all loops, steps below included. */
  readonly time: number
  /** The conditions, with their values; absent unless values were requested. */
  readonly conditions?: readonly string[]
  readonly steps: readonly ExplainedStep[]
}

export interface Explanation {
  readonly type: string
  readonly action: string
  readonly pruned: readonly ExplainedPruning[]
  /** The error with which the read is refused; the properties below are then absent, except those found before it. */
  readonly refused?: {
    readonly status: number
    readonly name: string
    readonly code: string
    readonly message: string
  }
  /** Whether the statement of this query was cached for callers with the same rights; with `figures` only, since others requested it. */
  readonly cache?: 'hit' | 'miss'
  readonly nodes?: ExplainedNode
  readonly statement?: {
    /** With placeholders: `$1`. */
    readonly text: string
    /** The values of the placeholders; absent unless they were requested. */
    readonly values?: readonly unknown[]
  }
  /** Absent where figures of rows are not for the caller; see `Octavo.explain`. */
  readonly plan?: ExplainedStep
  /** Milliseconds. `plan` is the time in which PostgreSQL plans, `execute` that in which it runs the statement. */
  readonly times: {
    readonly parse?: number
    readonly resolve?: number
    readonly compile?: number
    readonly plan?: number
    readonly execute?: number
  }
}
