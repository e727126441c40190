import { isoTime, type Sql } from '../sql/sql.ts'
import type { RowSource, SourceColumn } from './source.ts'

/** The types of a plugin's columns, each with its PostgreSQL type and JSON form. */
const columnTypes = {
  text: { type: 'text', toJson: (c: Sql) => c },
  integer: { type: 'integer', toJson: (c: Sql) => c },
  bigint: { type: 'bigint', toJson: (c: Sql) => c },
  boolean: { type: 'boolean', toJson: (c: Sql) => c },
  /** To the millisecond; read as `2024-01-01T09:00:01.037Z`. */
  timestamp: { type: 'timestamptz(3)', toJson: isoTime },
  json: { type: 'jsonb', toJson: (c: Sql) => c },
} as const

interface ColumnValues {
  text: string
  integer: number
  bigint: number
  boolean: boolean
  timestamp: string
  json: unknown
}

export interface OwnColumn {
  /** The type of the values: `text`, `integer`, `bigint`, `boolean`, `timestamp` or `json`. */
  readonly type: keyof ColumnValues
  /** Whether the column may be null. Default false. */
  readonly nullable?: boolean
  /** Whether values are unique; nulls are ignored. Default false. */
  readonly unique?: boolean
  /**
   * Whether the column has an index; a list has the further columns of that index, in their order. Unique columns and the primary key always have one.
   * Default false.
   */
  readonly index?: boolean | readonly string[]
  /** Uid of a content-type whose id the column contains. Rows are deleted with the entry that they refer to. */
  readonly references?: string
}

export interface OwnTableOptions<C extends Readonly<Record<string, OwnColumn>>> {
  /** Columns by name. */
  readonly columns: C
  /** Default: an additional identity column `id`. */
  readonly primaryKey?: keyof C & string
}

type ValueOf<C extends OwnColumn> = ColumnValues[C['type']] | (C['nullable'] extends true ? null : never)

/** A row of a declared table. */
export type OwnRow<C extends Readonly<Record<string, OwnColumn>>> = {
  readonly [K in keyof C]: ValueOf<C[K]>
} & { readonly id: number }

/** A table that a plugin declared with `host.table`. */
export interface OwnTable<R = Readonly<Record<string, unknown>>> extends RowSource<R> {
  readonly definition: {
    readonly columns: Readonly<Record<string, OwnColumn>>
    readonly primaryKey?: string
  }
}

/** @throws Error when the name does not begin with `octavo_`, a name is not in lower case, or a column has no known type. */
export function defineOwnTable<const C extends Readonly<Record<string, OwnColumn>>>(
  name: string,
  definition: OwnTableOptions<C>,
): OwnTable<OwnRow<C>> {
  const isName = (text: string): boolean => /^[a-z][a-z0-9_]{0,49}$/.test(text)
  if (!isName(name) || !name.startsWith('octavo_'))
    throw new Error(`A plugin's table is named octavo_<something> in lower case, not "${name}"`)
  // For plugins that no compiler has checked, as below.
  if (typeof definition?.columns !== 'object' || definition.columns === null)
    throw new Error(`The table "${name}" has no columns, such as { columns: { what: { type: 'text' } } }`)
  const columns = new Map<string, SourceColumn>()
  if (definition.primaryKey === undefined)
    columns.set('id', { column: 'id', type: 'int8', toJson: (column) => column })
  for (const [key, column] of Object.entries(definition.columns)) {
    if (!isName(key)) throw new Error(`A column of "${name}" has a name in lower case, not "${key}"`)
    columns.set(key, { column: key, ...columnTypes[typeOf(name, key, column)] })
    const further = Array.isArray(column.index) ? (column.index as readonly string[]) : []
    const unknown = further.find((other) => !Object.hasOwn(definition.columns, other))
    if (unknown !== undefined)
      throw new Error(`The index of "${key}" of "${name}" names "${unknown}", which is no column of it`)
  }
  return { table: name, columns, definition }
}

/** @throws Error for a type that no column has */
function typeOf(table: string, key: string, column: OwnColumn | null): OwnColumn['type'] {
  const type = column?.type
  if (type !== undefined && Object.hasOwn(columnTypes, type)) return type
  const known = Object.keys(columnTypes).join(', ')
  throw new Error(`The column "${key}" of "${table}" has the type "${String(type)}", not one of ${known}`)
}

/** PostgreSQL's type of a declared column. */
export const ownColumnType = ({ type }: OwnColumn): string => columnTypes[type].type

/** The columns of the index of a declared column. */
export const ownIndexOf = (name: string, { index }: OwnColumn): readonly string[] => [
  name,
  ...(typeof index === 'object' ? index : []),
]
