import { recognisable } from '../error/recognisable.ts'

/** One thing that the update of the schema refuses to do by itself. */
export interface SchemaRefusal {
  readonly table: string
  readonly column?: string
  /** What is in the way, and why we do not touch it. */
  readonly reason: string
  /** What an operator may run instead, having thought about it. */
  readonly sql: string
}

/** The database cannot take the content-types without a change that would lose or rewrite data. Nothing was changed. */
export class SchemaError extends Error {
  readonly refusals: readonly SchemaRefusal[]

  constructor(refusals: readonly SchemaRefusal[], cause?: unknown) {
    const items = refusals.map(({ table, column, reason, sql }) => {
      const place = column ? `table "${table}", column "${column}"` : `table "${table}"`
      return `- ${place}: ${reason}\n  An operator may run:\n    ${sql.trim().split('\n').join('\n    ')}`
    })
    super(
      `The database does not fit the content-types, and what would mend it could lose data. Nothing was changed.\n${items.join('\n')}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = 'SchemaError'
    this.refusals = refusals
  }
}

recognisable(SchemaError, 'SchemaError')
