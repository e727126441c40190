/** The statements that insert and update rows. Their texts are composed once for each model, where they are the same for all of its rows. */

import {
  type Bindable,
  column as columnOf,
  join,
  kept,
  numbered,
  param,
  type Sql,
  sql,
  toStatement,
} from '@octavo/database'
import { type Model, ownerColumns, type ScalarAttribute } from '../content-type/model.ts'
import { newId, newIdSetting } from './new-ids.ts'
import { type RecordColumn, recordset } from './recordset.ts'
import { nextPosition } from './related-list.ts'
import { keysOf, placeAmongSiblings } from './relations.ts'
import type { RowWrite } from './write-plan.ts'

/** Makes a value for each model when it is first asked for. */
function once<T>(make: (model: Model) => T): (model: Model) => T {
  const made = new WeakMap<Model, T>()
  return (model) => {
    let value = made.get(model)
    if (value === undefined) {
      value = make(model)
      made.set(model, value)
    }
    return value
  }
}

/** A row with its existing or new id, and its owner. */
export interface PlacedRow {
  readonly row: RowWrite
  readonly id: number
  /** For a component: its owner and position. */
  readonly owner: Owner | undefined
}

interface Owner {
  readonly model: Model
  readonly id: number
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
  /** `insert into "articles" ("title", …) values ($1, …) returning "id"`; every column is named. */
  readonly text: string
}

const newRowOf = once((model): NewRow => {
  const columns = columnsOf(model)
  return { ...columns, text: toStatement(newRowStatement(model, columns)).text }
})

function newRowStatement(model: Model, { given, keys, now }: ReturnType<typeof columnsOf>): Sql {
  const table = sql.id(model.table)
  const made: (readonly [column: string, value: Sql])[] = [
    ...given.map(({ column }, i) => [column, numbered(i + 1)] as const),
    ...keys.flatMap((key, i) => keyColumns(key, numbered(given.length + i + 1, 'int4'))),
    ...now.map(({ column }) => [column, timeOfWrite] as const),
  ]
  if (made.length === 0) return sql`insert into ${table} default values returning "id"`
  return sql`insert into ${table} (${names(made.map(([column]) => column))}) values (${sql.join(made.map(([, value]) => value))}) returning "id"`
}

const keyColumns = (
  { column, position }: NewRow['keys'][number],
  key: Sql,
): readonly (readonly [column: string, value: Sql])[] =>
  position === undefined
    ? [[column, key]]
    : [
        [column, key],
        [position, placeOfNew(key)],
      ]

/** The values of `given` and `keys`. */
function newValuesOf(row: RowWrite, { given, keys }: Pick<NewRow, 'given' | 'keys'>): Bindable[] {
  const written = row.relations.length === 0 ? [] : keysOf(row)
  return [
    ...given.map((attribute) => row.values.get(attribute) ?? null),
    ...keys.map(({ column }) => written.find((key) => key.column === column)?.id ?? null),
  ]
}

/** The statement for a new row, which returns its id. */
export function insertOf(row: RowWrite): Sql {
  const made = newRowOf(row.model)
  return kept(made.text, newValuesOf(row, made))
}

const notingTextOf = once(
  (model) =>
    `with "made" as (${newRowOf(model).text}) select "id", set_config('${newIdSetting}', "id"::text, true) from "made"`,
)

/** The same, which makes it {@link newId} for the following statements. */
export const insertNotingOf = (row: RowWrite): Sql =>
  kept(notingTextOf(row.model), newValuesOf(row, newRowOf(row.model)))

const timeOfWrite = sql`now()`

const names = (columns: readonly string[]): Sql => sql.join(columns.map(sql.id))

/** A new component of an entry whose id is not known yet. */
export interface NewPart {
  readonly row: RowWrite
  readonly field: string
  readonly position: number
}

/** The statements for new components that are the same for all of a model. */
interface NewParts extends Pick<NewRow, 'given' | 'keys'> {
  /** `insert into "components_shared_seo" (…) values ($1, …)`, for one component. */
  readonly one: string
  /** Those of {@link several}, without the id of the owner. */
  readonly columns: readonly RecordColumn[]
  /** `insert into "components_shared_seo" (…) select … from `. */
  readonly several: Sql
}

const newPartsOf = once((model): NewParts => {
  const { given, keys, columns: all } = severalNewRowsOf(model)
  const columns = all.filter(({ name }) => name !== 'id' && name !== ownerColumns.id)
  const placed = keys.flatMap(({ column, position }) =>
    position === undefined ? [] : [{ column, position }],
  )
  const named = [
    ...columns.map(({ name }) => name),
    ...placed.map(({ position }) => position),
    ownerColumns.id,
  ]
  const into = sql`insert into ${sql.id(model.table)} (${names(named)})`
  const values = (of: (column: RecordColumn) => Sql): Sql =>
    sql.join([
      ...columns.map(of),
      ...placed.map(({ column }) => placeOfNew(of({ name: column, type: 'int4' }))),
      newId,
    ])
  const parameter = ({ name, type }: RecordColumn): Sql =>
    numbered(columns.findIndex((column) => column.name === name) + 1, type)
  return {
    given,
    keys,
    columns,
    one: toStatement(sql`${into} values (${values(parameter)})`).text,
    several: sql.raw(
      toStatement(sql`${into} select ${values(({ name }) => columnOf('r', name))} from `).text,
    ),
  }
})

/** The statement for the new components of one model, of the entry with {@link newId}. */
export function insertPartsOf(model: Model, parts: readonly NewPart[], owner: Model): Sql {
  const made = newPartsOf(model)
  const records = parts.map(({ row, field, position }) => [
    ...newValuesOf(row, made),
    owner.uid,
    field,
    position,
  ])
  const [only] = records
  // One row needs no JSON.
  if (only && records.length === 1) return kept(made.one, only)
  return sql`${made.several}${recordset('r', made.columns, records)}`
}

/** The parts of the statement for several new rows that are the same for all rows of a model. */
interface NewRows extends Pick<NewRow, 'given' | 'keys'> {
  readonly columns: readonly RecordColumn[]
  /** `insert into "articles" ("id", …) select "r"."id", … from `. */
  readonly into: Sql
}

const ownerTypes = {
  [ownerColumns.type]: 'text',
  [ownerColumns.id]: 'int4',
  [ownerColumns.field]: 'text',
  [ownerColumns.position]: 'float8',
}

const severalNewRowsOf = once((model): NewRows => {
  const { given, now, keys } = columnsOf(model)
  const columns: readonly RecordColumn[] = [
    { name: 'id', type: 'int4' },
    ...given.map(({ column, type, definition }) => ({ name: column, type: type.column(definition) })),
    ...keys.map(({ column }) => ({ name: column, type: 'int4' })),
    ...(model.kind === 'component' ? Object.entries(ownerTypes).map(([name, type]) => ({ name, type })) : []),
  ]
  const made: (readonly [name: string, value: Sql])[] = [
    ...columns.map(({ name }) => [name, columnOf('r', name)] as const),
    ...keys.flatMap(({ column, position }) =>
      position === undefined ? [] : [[position, placeOfNew(columnOf('r', column))] as const],
    ),
    ...now.map(({ column }) => [column, timeOfWrite] as const),
  ]
  const into = sql`insert into ${sql.id(model.table)} (${names(made.map(([name]) => name))}) select ${sql.join(made.map(([, value]) => value))} from `
  return { given, keys, columns, into: sql.raw(toStatement(into).text) }
})

/** The statement for several new rows, whose ids are known. */
export function insertSeveralOf(model: Model, rows: readonly PlacedRow[]): Sql {
  const made = severalNewRowsOf(model)
  const records = rows.map(({ row, id, owner }) => [
    id,
    ...newValuesOf(row, made),
    ...(owner ? [owner.model.uid, owner.id, owner.field, owner.position] : []),
  ])
  return sql`${made.into}${recordset('r', made.columns, records)}`
}

/**
 * The statement for the own columns of an existing row; `undefined` when there are none to set.
 * @param position Of a component.
 */
export function updateOf(row: RowWrite, id: number, position?: number): Sql | undefined {
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
  return sql`update ${sql.id(model.table)} set ${join(set, ', ')} where "id" = ${param(id, 'int4')}`
}
