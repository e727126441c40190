import type { Bindable } from '../content-type/attribute-type.ts'

/** A column of a {@link recordset}: its name and PostgreSQL type. */
export interface RecordColumn {
  readonly name: string
  readonly type: string
}

/**
 * Rows as one parameter, so that a statement has the same text for one row and for ten thousand:
 *
 *     select * from jsonb_to_recordset($1::jsonb) as "r" ("id" int8, "title" text)
 *
 * A value of a JSON column is JSON text already and goes in as it is.
 */
export function recordset(alias: string, columns: readonly RecordColumn[], parameter: number): string {
  const list = columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ')
  return `jsonb_to_recordset($${parameter}::jsonb) as ${quoted(alias)} (${list})`
}

/** The parameter of a {@link recordset}. */
export function recordsetValue(
  columns: readonly RecordColumn[],
  rows: readonly (readonly Bindable[])[],
): string {
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

/** An identifier in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
