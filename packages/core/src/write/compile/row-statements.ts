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
import { type Model, ownerColumns, type ScalarAttribute } from '../../content-type/model.ts'
import { onceFor } from '../../once-for.ts'
import type { RowWrite } from '../input/write-plan.ts'
import type { RowIds } from './ids.ts'
import { nextPosition } from './next-position.ts'
import { type RecordColumn, recordset } from './recordset.ts'
import { keysOf, placeAmongSiblings } from './relations.ts'

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

const scalarsOf = (model: Model): readonly ScalarAttribute[] =>
  [...model.attributes.values()].filter((attribute) => attribute.kind === 'scalar')

const timestamps = new Set(['createdAt', 'updatedAt'])

/** The columns of a new row besides its id: the given values, and those set to the time of the write. */
function columnsOf(model: Model): {
  readonly given: readonly ScalarAttribute[]
  readonly now: readonly ScalarAttribute[]
  readonly keys: readonly { readonly column: string; readonly position: string | undefined }[]
} {
  const scalars = scalarsOf(model)
  const given = scalars.filter((attribute) => model.kind === 'component' || !timestamps.has(attribute.name))
  const keys = [...model.attributes.values()].flatMap((attribute) =>
    attribute.kind === 'relation' && attribute.storage.kind === 'own' && !attribute.exclusive
      ? [attribute.storage]
      : [],
  )
  return { given, now: scalars.filter((attribute) => !given.includes(attribute)), keys }
}

const placeOfNew = (key: Sql): Sql => sql`case when ${key} is null then null else ${nextPosition} end`

/** The statement for a new row, which is the same for all rows of a model. */
interface NewRow extends ReturnType<typeof columnsOf> {
  /** `insert into "articles" ("title", …) select $1::text, …`; every column is named but the id. */
  readonly insert: (values: readonly Bindable[]) => Sql
}

const newRowOf = onceFor((model: Model): NewRow => {
  const columns = columnsOf(model)
  const { given, keys, now } = columns
  const made: (readonly [column: string, value: Sql])[] = [
    ...given.map(({ column, type, definition }) => [column, param(null, type.column(definition))] as const),
    ...keys.flatMap(({ column, position }) => keyColumns(column, position, param(null, 'int4'))),
    ...now.map(({ column }) => [column, timeOfWrite] as const),
  ]
  if (made.length === 0) made.push(['id', nextId(model)])
  const insert = sql`insert into ${sql.id(model.table)} (${names(made.map(([column]) => column))}) select ${sql.join(made.map(([, value]) => value))}`
  return { ...columns, insert: template(insert) }
})

/** The next id of a model's sequence. */
export const nextId = ({ table }: Model): Sql =>
  sql`nextval(pg_get_serial_sequence(${sql.lit(`"${table}"`)}, 'id'))::int4`

const keyColumns = (
  column: string,
  position: string | undefined,
  key: Sql,
): readonly (readonly [column: string, value: Sql])[] =>
  position === undefined
    ? [[column, key]]
    : [
        [column, key],
        [position, placeOfNew(key)],
      ]

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

const timeOfWrite = sql`now()`

const names = (columns: readonly string[]): Sql => sql.join(columns.map(sql.id))

/** The parts of the statement for new rows that are the same for all rows of a model. */
interface NewRows extends Pick<ReturnType<typeof columnsOf>, 'given' | 'keys'> {
  /** The columns of the rows `r`, whose ids are numbers in the list of ids. */
  readonly columns: readonly RecordColumn[]
  /** `insert into "articles" ("id", …) select "i"."all"["r"."id"], … from `. */
  readonly into: Sql
  /** `where "i"."all"["r"."id"] is not null`, with the id of the row or its owner. */
  readonly where: Sql
}

const ownerTypes = {
  [ownerColumns.type]: 'text',
  [ownerColumns.field]: 'text',
  [ownerColumns.position]: 'float8',
}

const newRowsOf = onceFor((model: Model) =>
  newRows(model, model.kind === 'component' ? ['id', ownerColumns.id] : ['id']),
)

/** New components whose ids are those of the sequence. */
const newPartsOf = onceFor((model: Model) => newRows(model, [ownerColumns.id]))

function newRows(model: Model, ids: readonly string[]): NewRows {
  const { given, now, keys } = columnsOf(model)
  const ownColumns: readonly RecordColumn[] = [
    ...given.map(({ column, type, definition }) => ({ name: column, type: type.column(definition) })),
    ...keys.map(({ column }) => ({ name: column, type: 'int4' })),
    ...(model.kind === 'component' ? Object.entries(ownerTypes).map(([name, type]) => ({ name, type })) : []),
  ]
  const idOf = (name: string): Sql => sql`"i"."all"[${columnOf('r', name)}]`
  const made: (readonly [name: string, value: Sql])[] = [
    ...ids.map((name) => [name, idOf(name)] as const),
    ...ownColumns.map(({ name }) => [name, columnOf('r', name)] as const),
    ...keys.flatMap(({ column, position }) =>
      position === undefined ? [] : [[position, placeOfNew(columnOf('r', column))] as const],
    ),
    ...now.map(({ column }) => [column, timeOfWrite] as const),
  ]
  const into = sql`insert into ${sql.id(model.table)} (${names(made.map(([name]) => name))}) select ${sql.join(made.map(([, value]) => value))} from `
  return {
    given,
    keys,
    columns: [...ids.map((name) => ({ name, type: 'int4' })), ...ownColumns],
    into: sql.raw(toStatement(into).text),
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
    ...valuesOf(row, made.given),
    ...made.keys.map(({ column }) => keyOf(row, column)),
    ...(owner ? [owner.row.model.uid, owner.field, owner.position] : []),
  ])
  return sql`${made.into}(select ${ids.all} as "all" offset 0) as "i", ${recordset('r', made.columns, records)}${made.where}`
}

/**
 * The statement for the own columns of an existing row; `undefined` when there are none to set.
 * @param id An expression. @param position Of a component.
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
