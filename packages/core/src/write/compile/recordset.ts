import { type Bindable, param, type Sql, sql } from '@octavo/database'
import { onceFor } from '../../once-for.ts'

/** A column of a {@link recordset}: its name and PostgreSQL type. */
export interface RecordColumn {
  readonly name: string
  readonly type: string
}

/** Columns by name, with their PostgreSQL types. */
export const recordColumns = (types: Readonly<Record<string, string>>): readonly RecordColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }))

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
  const { list, members } = textsOf(columns)
  const record = (row: readonly Bindable[]): string => {
    let text = '{'
    for (const [i, { key, isJson }] of members.entries()) {
      const value = row[i] as Bindable // a row has a value for each column
      text += `${key}${isJson && value !== null ? value : JSON.stringify(value)}`
    }
    return `${text}}`
  }
  const json = `[${rows.map(record).join(',')}]`
  return sql`jsonb_to_recordset(${param(json, 'jsonb')}) as ${sql.id(alias)} (${list})`
}

interface Texts {
  /** `"id" int8, "title" text` */
  readonly list: Sql
  readonly members: readonly { readonly key: string; readonly isJson: boolean }[]
}

const textsOf = onceFor(
  (columns: readonly RecordColumn[]): Texts => ({
    list: sql.raw(columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')),
    members: columns.map(({ name, type }, i) => ({
      key: `${i === 0 ? '' : ','}${JSON.stringify(name)}:`,
      isJson: type === 'jsonb',
    })),
  }),
)
