/** The statements that insert and update rows. Their texts are composed once for each model, where they are the same for all of its rows. */

import {
  type Bindable,
  column as columnOf,
  join,
  param,
  type Sql,
  sql,
  template,
  toStatement,
} from '@octavo/database'
import { nextPosition } from '../../compile/next-position.ts'
import { type Model, ownerColumns, type ScalarAttribute } from '../../content-type/model.ts'
import { onceFor } from '../../once-for.ts'
import type { RowWrite } from '../input/write-plan.ts'
import type { RowIds } from './ids.ts'
import { type RecordColumn, recordColumns, recordset } from './recordset.ts'
import { keyIn, keysOf, placeAmongSiblings } from './relations.ts'

/** A row with its owner. */
export interface PlacedRow {
  readonly row: RowWrite
  /** For a component: its owner and position. */
  readonly owner: Owner | undefined
}

interface Owner {
  readonly row: RowWrite
  readonly field: string
  readonly position: number
}

const timestamps = new Set(['createdAt', 'updatedAt'])

type NamedValue = readonly [column: string, value: Sql]

/** The columns of new rows besides their ids: the given values, the keys, and the time of the write. */
interface NewColumns {
  readonly given: readonly ScalarAttribute[]
  readonly keys: readonly { readonly column: string; readonly position: string | undefined }[]
  /** All columns with their values. @param value The value of a column. */
  readonly made: (value: (column: RecordColumn) => Sql) => readonly NamedValue[]
}

function columnsOf(model: Model): NewColumns {
  const attributes = [...model.attributes.values()]
  const scalars = attributes.filter((attribute) => attribute.kind === 'scalar')
  const given = scalars.filter((attribute) => model.kind === 'component' || !timestamps.has(attribute.name))
  const keys = attributes.flatMap((attribute) =>
    attribute.kind === 'relation' ? (keyIn(attribute) ?? []) : [],
  )
  const made: NewColumns['made'] = (value) => [
    ...givenColumns(given).map((column) => [column.name, value(column)] as const),
    ...keys.flatMap(({ column, position }): readonly NamedValue[] => {
      const key = value({ name: column, type: 'int4' })
      const place = sql`case when ${key} is null then null else ${nextPosition} end`
      return [[column, key], ...(position === undefined ? [] : [[position, place] as const])]
    }),
    ...scalars
      .filter((attribute) => !given.includes(attribute))
      .map(({ column }) => [column, sql`now()`] as const),
  ]
  return { given, keys, made }
}

const givenColumns = (given: readonly ScalarAttribute[]): readonly RecordColumn[] =>
  given.map(({ column, type, definition }) => ({ name: column, type: type.column(definition) }))

/** `insert into "articles" ("title", …) select …` */
const insertInto = ({ table }: Model, made: readonly NamedValue[]): Sql =>
  sql`insert into ${sql.id(table)} (${sql.join(made.map(([column]) => sql.id(column)))}) select ${sql.join(made.map(([, value]) => value))}`

/** The statement for a new row, which is the same for all rows of a model; every column is named but the id. */
const newRowOf = onceFor((model: Model) => {
  const { made, ...columns } = columnsOf(model)
  const own = made(({ type }) => param(null, type))
  return { ...columns, insert: template(insertInto(model, own.length > 0 ? own : [['id', nextId(model)]])) }
})

/** The next id of a model's sequence. */
export const nextId = ({ table }: Model): Sql =>
  sql`nextval(pg_get_serial_sequence(${sql.lit(`"${table}"`)}, 'id'))::int4`

const keyOf = (row: RowWrite, column: string): number | null =>
  keysOf(row).find((key) => key.column === column)?.id ?? null

const valuesOf = ({ values }: RowWrite, given: readonly ScalarAttribute[]): Bindable[] =>
  given.map((attribute) => values.get(attribute) ?? null)

/** The statement for one new row, to which a condition may be added. */
export function insertRowOf(row: RowWrite): Sql {
  const { insert, given, keys } = newRowOf(row.model)
  const written = valuesOf(row, given)
  for (const { column, position } of keys) {
    const key = keyOf(row, column)
    written.push(key)
    if (position !== undefined) written.push(key) // its place names it again
  }
  return insert(written)
}

/** The parts of the statement for new rows that are the same for all rows of a model. */
interface NewRows extends Omit<NewColumns, 'made'> {
  /** The columns of the rows `r`, whose ids are numbers in the list of ids. */
  readonly columns: readonly RecordColumn[]
  /** `insert into "articles" ("id", …) select "i"."all"["r"."id"], … from `. */
  readonly into: Sql
  /** `where "i"."all"["r"."id"] is not null`, with the id of the row or its owner. */
  readonly where: Sql
}

const ownerTypes = recordColumns({
  [ownerColumns.type]: 'text',
  [ownerColumns.field]: 'text',
  [ownerColumns.position]: 'float8',
})

const newRowsOf = onceFor((model: Model) =>
  newRows(model, model.kind === 'component' ? ['id', ownerColumns.id] : ['id']),
)

/** New components whose ids are those of the sequence. */
const newPartsOf = onceFor((model: Model) => newRows(model, [ownerColumns.id]))

function newRows(model: Model, ids: readonly string[]): NewRows {
  const { made, given, keys } = columnsOf(model)
  const owner = model.kind === 'component' ? ownerTypes : []
  const idOf = (name: string): Sql => sql`"i"."all"[${columnOf('r', name)}]`
  const columnOfRow = ({ name }: RecordColumn): Sql => columnOf('r', name)
  const into = insertInto(model, [
    ...ids.map((name) => [name, idOf(name)] as const),
    ...owner.map((column) => [column.name, columnOfRow(column)] as const),
    ...made(columnOfRow),
  ])
  return {
    given,
    keys,
    columns: [
      ...ids.map((name) => ({ name, type: 'int4' })),
      ...owner,
      ...givenColumns(given),
      ...keys.map(({ column }) => ({ name: column, type: 'int4' })),
    ],
    into: sql.raw(toStatement(sql`${into} from `).text),
    where: sql.raw(toStatement(sql` where ${idOf(ids.at(-1) as string)} is not null`).text), // there is one
  }
}

/**
 * The statement for new rows of a model, all of which have a number in the list of ids, or none. A write that is refused has no
 * ids, and the statement then inserts nothing.
 */
export function insertOf(model: Model, rows: readonly PlacedRow[], ids: RowIds): Sql {
  const made = rows.some(({ row }) => ids.numberOf(row) === undefined) ? newPartsOf(model) : newRowsOf(model)
  const records = rows.map(({ row, owner }) => [
    ...[row, ...(owner ? [owner.row] : [])].flatMap((one) => ids.numberOf(one) ?? []),
    ...(owner ? [owner.row.model.uid, owner.field, owner.position] : []),
    ...valuesOf(row, made.given),
    ...made.keys.map(({ column }) => keyOf(row, column)),
  ])
  return sql`${made.into}(select ${ids.all} as "all" offset 0) as "i", ${recordset('r', made.columns, records)}${made.where}`
}

/**
 * The statement for the own columns of an existing row; `undefined` when there are none to set.
 * @param id An expression. @param position The position of a component.
 */
export function updateOf(row: RowWrite, id: Sql, position?: number): Sql | undefined {
  const { model } = row
  const set = [...row.values].map(([{ column }, value]) => sql`${sql.id(column)} = ${value}`)
  for (const { column, position, id: key } of keysOf(row)) {
    const value = param(key, 'int4')
    set.push(sql`${sql.id(column)} = ${value}`)
    if (position !== undefined)
      set.push(sql`${sql.id(position)} = ${placeAmongSiblings(sql.id(column), sql.id(position), value)}`)
  }
  const updatedAt = model.attributes.get('updatedAt')
  if (model.kind !== 'component' && updatedAt?.kind === 'scalar')
    set.push(sql`${sql.id(updatedAt.column)} = now()`)
  if (position !== undefined) set.push(sql`${sql.id(ownerColumns.position)} = ${position}`)
  if (set.length === 0) return undefined
  return sql`update ${sql.id(model.table)} set ${join(set, ', ')} where "id" = ${id}`
}
