import { type Bindable, param, type Sql, sql } from '@octavo/database'

/** A column of a {@link recordset}: its name and PostgreSQL type. */
export interface RecordColumn {
  readonly name: string
  readonly type: string
}

/**
 * Rows as one parameter, so that the text of a statement is the same for any number of rows:
 *
 *     select * from jsonb_to_recordset($1::jsonb) as "r" ("id" int8, "title" text)
 *
 * A value of a JSON column is JSON text and is inserted unchanged.
 */
export function recordset(
  alias: string,
  columns: readonly RecordColumn[],
  rows: readonly (readonly Bindable[])[],
): Sql {
  const list = columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')
  return sql`jsonb_to_recordset(${param(json(columns, rows), 'jsonb')}) as ${sql.id(alias)} (${sql.raw(list)})`
}

function json(columns: readonly RecordColumn[], rows: readonly (readonly Bindable[])[]): string {
  const keys = columns.map(({ name }) => JSON.stringify(name))
  const isJson = columns.map(({ type }) => type === 'jsonb')
  const record = (row: readonly Bindable[]): string => {
    const members = row.map(
      (value, i) => `${keys[i]}:${isJson[i] && value !== null ? value : JSON.stringify(value)}`,
    )
    return `{${members.join(',')}}`
  }
  return `[${rows.map(record).join(',')}]`
}
