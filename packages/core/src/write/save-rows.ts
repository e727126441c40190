import { type Model, ownerColumns, type Registry, type ScalarAttribute } from '../content-type/model.ts'
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
} from '../sql/sql.ts'
import type { BatchedTransaction } from '../store/store.ts'
import { deleteComponents } from './delete-rows.ts'
import { writeMorphs } from './morphs.ts'
import { isFlat, type NewIds, newId, newIdSetting, newIdsOf } from './new-ids.ts'
import { type RecordColumn, recordset } from './recordset.ts'
import { nextPosition } from './related-list.ts'
import { keysOf, placeAmongSiblings, writeRelations } from './relations.ts'
import type { RowWrite } from './write-plan.ts'

/** A row with its existing or new id, and its owner. */
interface Placed {
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

/**
 * Writes checked rows with their components and relations, and returns the ids of `roots` in their order.
 * New rows of a table are inserted with one statement.
 * @param newIds Those of `sendNewIds` for these rows.
 */
export async function saveRows(
  roots: readonly RowWrite[],
  newIds: NewIds,
  registry: Registry,
  tx: BatchedTransaction,
): Promise<readonly number[]> {
  const [only] = roots
  if (only && roots.length === 1 && isFlat(only)) {
    const id = await insertRow(only, tx)
    if (only.relations.length > 0) await writeRelations(only, param(id, 'int4'), registry, tx)
    writeMorphs(only, id, tx)
    return [id]
  }
  const ids = await newIdsOf(roots, newIds, tx)
  const placed: Placed[] = []
  for (const root of roots) place(root, undefined, ids, placed)

  for (const { row, id } of placed) if (row.id !== undefined) await deleteLeftOut(row, id, registry, tx)
  const fresh = placed.filter(({ row }) => row.id === undefined)
  for (const [model, rows] of Map.groupBy(fresh, ({ row }) => row.model)) insertRows(model, rows, tx)
  for (const { row, id, owner } of placed) {
    const update = row.id === undefined ? undefined : updateOf(row, id, owner?.position)
    if (update) tx.send(update)
  }
  for (const { row, id } of placed) {
    await writeRelations(row, param(id, 'int4'), registry, tx)
    writeMorphs(row, id, tx)
  }
  return roots.map((root) => idOf(root, ids))
}

/**
 * Inserts a new row with the next statement of the transaction, which returns its id then.
 * @returns Whether it does: components and links need the id at once, and then nothing is done.
 */
export function sendRow(row: RowWrite, tx: BatchedTransaction, onId: (id: number) => void): boolean {
  if (!isFlat(row) || row.morphs.length > 0 || keysOf(row).length < row.relations.length) return false
  tx.send(insertOf(row), ([id]) => onId(Number(id)))
  return true
}

function idOf(row: RowWrite, ids: ReadonlyMap<RowWrite, number>): number {
  const id = row.id ?? ids.get(row)
  if (id === undefined) throw new Error(`No id was taken for a row of ${row.model.table}`)
  return id
}

function place(
  row: RowWrite,
  owner: Owner | undefined,
  ids: ReadonlyMap<RowWrite, number>,
  placed: Placed[],
): void {
  const id = idOf(row, ids)
  placed.push({ row, id, owner })
  for (const { attribute, items } of row.components) {
    for (const [i, item] of items.entries())
      place(item, { model: row.model, id, field: attribute.name, position: i + 1 }, ids, placed)
  }
}

/** Deletes the components that are no longer among the items of the written attributes. */
async function deleteLeftOut(
  row: RowWrite,
  id: number,
  registry: Registry,
  tx: BatchedTransaction,
): Promise<void> {
  for (const { attribute, items } of row.components) {
    const uids = attribute.kind === 'zone' ? attribute.components : [attribute.component]
    for (const uid of uids) {
      const keep = items
        .filter((item) => item.model.uid === uid && item.id !== undefined)
        .map((item) => item.id as number) // filtered above
      await deleteComponents(
        registry.component(uid),
        { type: row.model.uid, ids: [id], field: attribute.name, keep },
        registry,
        tx,
      )
    }
  }
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

const newRows = new WeakMap<Model, NewRow>()

function newRowOf(model: Model): NewRow {
  let found = newRows.get(model)
  if (!found) {
    const columns = columnsOf(model)
    found = { ...columns, text: toStatement(newRowStatement(model, columns)).text }
    newRows.set(model, found)
  }
  return found
}

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

/** @returns its id */
async function insertRow(row: RowWrite, tx: BatchedTransaction): Promise<number> {
  const [made] = await tx.run(insertOf(row))
  return Number(made?.id)
}

/** The statement for a new row, which returns its id. */
function insertOf(row: RowWrite): Sql {
  const made = newRowOf(row.model)
  return kept(made.text, newValuesOf(row, made))
}

const notingInserts = new WeakMap<Model, string>()

/** The same, which makes it {@link newId} for the following statements. */
export function insertNotingOf(row: RowWrite): Sql {
  const { model } = row
  const made = newRowOf(model)
  let text = notingInserts.get(model)
  if (text === undefined) {
    text = `with "made" as (${made.text}) select "id", set_config('${newIdSetting}', "id"::text, true) from "made"`
    notingInserts.set(model, text)
  }
  return kept(text, newValuesOf(row, made))
}

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

const newParts = new WeakMap<Model, NewParts>()

function newPartsOf(model: Model): NewParts {
  let found = newParts.get(model)
  if (!found) {
    const { given, keys, columns: all } = newRowsOf(model)
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
    found = {
      given,
      keys,
      columns,
      one: toStatement(sql`${into} values (${values(parameter)})`).text,
      several: sql.raw(
        toStatement(sql`${into} select ${values(({ name }) => columnOf('r', name))} from `).text,
      ),
    }
    newParts.set(model, found)
  }
  return found
}

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

const severalNewRows = new WeakMap<Model, NewRows>()

const ownerTypes = {
  [ownerColumns.type]: 'text',
  [ownerColumns.id]: 'int4',
  [ownerColumns.field]: 'text',
  [ownerColumns.position]: 'float8',
}

function newRowsOf(model: Model): NewRows {
  let found = severalNewRows.get(model)
  if (!found) {
    const { given, now, keys } = columnsOf(model)
    const columns: readonly RecordColumn[] = [
      { name: 'id', type: 'int4' },
      ...given.map(({ column, type, definition }) => ({ name: column, type: type.column(definition) })),
      ...keys.map(({ column }) => ({ name: column, type: 'int4' })),
      ...(model.kind === 'component'
        ? Object.entries(ownerTypes).map(([name, type]) => ({ name, type }))
        : []),
    ]
    const made: (readonly [name: string, value: Sql])[] = [
      ...columns.map(({ name }) => [name, columnOf('r', name)] as const),
      ...keys.flatMap(({ column, position }) =>
        position === undefined ? [] : [[position, placeOfNew(columnOf('r', column))] as const],
      ),
      ...now.map(({ column }) => [column, timeOfWrite] as const),
    ]
    const into = sql`insert into ${sql.id(model.table)} (${names(made.map(([name]) => name))}) select ${sql.join(made.map(([, value]) => value))} from `
    found = { given, keys, columns, into: sql.raw(toStatement(into).text) }
    severalNewRows.set(model, found)
  }
  return found
}

function insertRows(model: Model, rows: readonly Placed[], tx: BatchedTransaction): void {
  const { given, keys, columns, into } = newRowsOf(model)
  const records = rows.map(({ row, id, owner }) => [
    id,
    ...newValuesOf(row, { given, keys }),
    ...(owner ? [owner.model.uid, owner.id, owner.field, owner.position] : []),
  ])
  tx.send(sql`${into}${recordset('r', columns, records)}`)
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
