import type { Sql } from '../sql/sql.ts'

/** A column by the name that programs use. */
export interface SourceColumn {
  /** The name of the column in the table. */
  readonly column: string
  /** The PostgreSQL type that parameters are cast to. */
  readonly type: string
  /** The SQL whose `to_json` is the value in a row. */
  readonly toJson: (column: Sql) => Sql
}

/**
 * A table whose rows {@link Rows} reads and writes: a content-type, a component or the table of a plugin.
 *
 * @typeParam R A row, by the names of its columns.
 */
export interface RowSource<R = Readonly<Record<string, unknown>>> {
  readonly table: string
  readonly columns: ReadonlyMap<string, SourceColumn>
  /** Never set; it carries the type of the rows. */
  readonly row?: R
}
