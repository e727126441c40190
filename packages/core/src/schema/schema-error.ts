import { recognisable } from '@octavo/database'

/** A change that the schema update refuses. */
export interface SchemaRefusal {
  readonly table: string
  readonly column?: string
  /** The conflict, and why the update does not resolve it. */
  readonly reason: string
  /** SQL that an operator may run instead, after review. */
  readonly sql: string
}

/** The content-types need a schema change that would lose or rewrite data. Nothing was changed. */
export class SchemaError extends Error {
  readonly refusals: readonly SchemaRefusal[]

  constructor(refusals: readonly SchemaRefusal[], cause?: unknown) {
    const items = refusals.map(({ table, column, reason, sql }) => {
      const place = column ? `table "${table}", column "${column}"` : `table "${table}"`
      return `- ${place}: ${reason}\n  An operator may run:\n    ${sql.trim().split('\n').join('\n    ')}`
    })
    super(
      `The database does not match the content-types, and the required changes could lose data. Nothing was changed.\n${items.join('\n')}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = 'SchemaError'
    this.refusals = refusals
  }
}

recognisable(SchemaError, 'SchemaError')
