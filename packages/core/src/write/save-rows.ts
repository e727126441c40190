import { type Model, ownerColumns, type Registry, type ScalarAttribute } from '../content-type/model.ts'
import { type Bindable, column as columnOf, join, param, type Sql, sql, toStatement } from '../sql/sql.ts'
import type { BatchedTransaction } from '../store/store.ts'
import { deleteComponents } from './delete-rows.ts'
import { writeMorphs } from './morphs.ts'
import { isFlat, type NewIds, newIdsOf } from './new-ids.ts'
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

/** The parts of the statement for a new row that are the same for all rows of a model. */
interface NewRow extends ReturnType<typeof columnsOf> {
  /** `insert into "articles" ("title", …) values (`; every column is named. */
  readonly into: Sql
}

const newRows = new WeakMap<Model, NewRow>()

function newRowOf(model: Model): NewRow {
  let found = newRows.get(model)
  if (!found) {
    const columns = columnsOf(model)
    const { given, keys, now } = columns
    const named = [
      ...given.map(({ column }) => column),
      ...keys.flatMap(({ column, position }) => (position === undefined ? [column] : [column, position])),
      ...now.map(({ column }) => column),
    ]
    const into = sql`insert into ${sql.id(model.table)} (${names(named)}) values (`
    found = { ...columns, into: sql.raw(toStatement(into).text) }
    newRows.set(model, found)
  }
  return found
}

/** @returns its id */
async function insertRow(row: RowWrite, tx: BatchedTransaction): Promise<number> {
  const [made] = await tx.run(insertOf(row))
  return Number(made?.id)
}

/** The statement for a new row, which returns its id. The text is the same for all new rows of a model. */
export function insertOf(row: RowWrite): Sql {
  const { given, now, keys, into } = newRowOf(row.model)
  if (given.length + now.length + keys.length === 0)
    return sql`insert into ${sql.id(row.model.table)} default values returning "id"`
  const written = row.relations.length === 0 ? [] : keysOf(row)
  const values: (Bindable | Sql)[] = given.map((attribute) => row.values.get(attribute) ?? null)
  for (const { column, position } of keys) {
    const value = param(written.find((key) => key.column === column)?.id ?? null, 'int4')
    values.push(value)
    if (position !== undefined) values.push(placeOfNew(value))
  }
  for (const _ of now) values.push(timeOfWrite)
  return sql`${into}${sql.join(values)}) returning "id"`
}

const timeOfWrite = sql`now()`

const names = (columns: readonly string[]): Sql => sql.join(columns.map(sql.id))

/** A new component of an entry whose id is not known yet. */
export interface NewPart {
  readonly row: RowWrite
  readonly field: string
  readonly position: number
}

/** The parts of the statements for new components that are the same for all of a model. */
interface NewParts extends Pick<NewRow, 'given' | 'keys'> {
  /** Without the id of the owner. */
  readonly columns: readonly RecordColumn[]
  /** `insert into "components_shared_seo" ("owner_id", …) `. */
  readonly into: Sql
  /** `select …, "r"."meta_title", … from `, for several. */
  readonly values: Sql
}

const newParts = new WeakMap<Model, NewParts>()

function newPartsOf(model: Model): NewParts {
  let found = newParts.get(model)
  if (!found) {
    const { given, keys, columns } = newRowsOf(model)
    const without = columns.filter(({ name }) => name !== 'id' && name !== ownerColumns.id)
    const placed = keys.flatMap(({ column, position }) =>
      position === undefined ? [] : [{ column, position }],
    )
    const named = [
      ...without.map(({ name }) => name),
      ...placed.map(({ position }) => position),
      ownerColumns.id,
    ]
    const values = [
      ...without.map(({ name }) => columnOf('r', name)),
      ...placed.map(({ column }) => placeOfNew(columnOf('r', column))),
    ]
    found = {
      given,
      keys,
      columns: without,
      into: sql.raw(toStatement(sql`insert into ${sql.id(model.table)} (${names(named)}) `).text),
      values: sql.raw(toStatement(sql.join(values)).text),
    }
    newParts.set(model, found)
  }
  return found
}

/** The statement for the new components of one model. @param owner The id of their entry, as an expression. */
export function insertPartsOf(model: Model, parts: readonly NewPart[], ownerModel: Model, owner: Sql): Sql {
  const { given, keys, columns, into, values } = newPartsOf(model)
  const records = parts.map(({ row, field, position }): Bindable[] => {
    const written = row.relations.length === 0 ? [] : keysOf(row)
    return [
      ...given.map((attribute) => row.values.get(attribute) ?? null),
      ...keys.map(({ column }) => written.find((key) => key.column === column)?.id ?? null),
      ownerModel.uid,
      field,
      position,
    ]
  })
  const [only] = records
  if (!only || records.length > 1)
    return sql`${into}select ${values}, ${owner} from ${recordset('r', columns, records)}`
  // One row needs no JSON.
  const places = keys.flatMap(({ position }, i) =>
    position === undefined ? [] : [placeOfNew(param(only[given.length + i] ?? null, 'int4'))],
  )
  return sql`${into}values (${sql.join([...only, ...places, owner])})`
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
  const records = rows.map(({ row, id, owner }): Bindable[] => {
    const written = keysOf(row)
    return [
      id,
      ...given.map((attribute) => row.values.get(attribute) ?? null),
      ...keys.map(({ column }) => written.find((key) => key.column === column)?.id ?? null),
      ...(owner ? [owner.model.uid, owner.id, owner.field, owner.position] : []),
    ]
  })
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
