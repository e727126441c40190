import type { Bindable } from '../content-type/attribute-type.ts'
import { type Model, ownerColumns, type Registry, type ScalarAttribute } from '../content-type/model.ts'
import type { Transaction } from '../store/store.ts'
import { deleteComponents } from './delete-rows.ts'
import { quoted, type RecordColumn, recordset, recordsetValue } from './recordset.ts'
import { writeRelations } from './relations.ts'
import { allRows, type RowWrite } from './write-plan.ts'

/** A row with the id that it has or gets, and what it belongs to. */
interface Placed {
  readonly row: RowWrite
  readonly id: number
  /** Of a component: its owner and its place there. */
  readonly owner: Owner | undefined
}

interface Owner {
  readonly model: Model
  readonly id: number
  readonly field: string
  readonly position: number
}

/**
 * Writes checked rows with their components and relations, and answers the ids of `roots` in their order.
 * New rows of one table go in with one statement, however many there are.
 */
export async function saveRows(
  roots: readonly RowWrite[],
  registry: Registry,
  tx: Transaction,
): Promise<readonly number[]> {
  const ids = await newIds(roots, tx)
  const placed: Placed[] = []
  for (const root of roots) place(root, undefined, ids, placed)

  for (const { row, id } of placed) if (row.id !== undefined) await deleteLeftOut(row, id, registry, tx)
  const fresh = placed.filter(({ row }) => row.id === undefined)
  for (const [model, rows] of Map.groupBy(fresh, ({ row }) => row.model)) await insertRows(model, rows, tx)
  for (const changed of placed) if (changed.row.id !== undefined) await updateRow(changed, tx)
  for (const { row, id } of placed) await writeRelations(row, id, registry, tx)
  return roots.map((root) => idOf(root, ids))
}

/** Takes ids for all new rows from their tables' sequences, so that children can name their owners before these are written. */
async function newIds(roots: readonly RowWrite[], tx: Transaction): Promise<ReadonlyMap<RowWrite, number>> {
  const fresh = roots.flatMap((root) => [...allRows(root)].filter((row) => row.id === undefined))
  const groups = [...Map.groupBy(fresh, (row) => row.model.table)]
  const ids = new Map<RowWrite, number>()
  if (groups.length === 0) return ids
  const reserve = ([table]: readonly [string, unknown], i: number): string =>
    `select ${i} as "g", nextval(pg_get_serial_sequence('${quoted(table).replaceAll("'", "''")}', 'id')) as "id" from generate_series(1, $${i + 1}::int4)`
  const reserved = await tx.query(
    `select "g", "id" from (${groups.map(reserve).join(' union all ')}) as "s" order by 1, 2`,
    groups.map(([, rows]) => rows.length),
  )
  const waiting = groups.map(([, rows]) => rows.values())
  for (const [group, id] of reserved) {
    const row = waiting[Number(group)]?.next().value
    if (row) ids.set(row, Number(id))
  }
  return ids
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

/** Of the attributes that are named, the components that are not among the items any more. */
async function deleteLeftOut(row: RowWrite, id: number, registry: Registry, tx: Transaction): Promise<void> {
  for (const { attribute, items } of row.components) {
    const uids = attribute.kind === 'zone' ? attribute.components : [attribute.component]
    for (const uid of uids) {
      const keep = items
        .filter((item) => item.model.uid === uid && item.id !== undefined)
        .map((item) => item.id as number) // just filtered
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

async function insertRows(model: Model, rows: readonly Placed[], tx: Transaction): Promise<void> {
  const scalars = scalarsOf(model)
  const stored = scalars.filter((attribute) => model.kind === 'component' || !timestamps.has(attribute.name))
  const now = scalars.filter((attribute) => !stored.includes(attribute))
  const ownerTypes = {
    [ownerColumns.type]: 'text',
    [ownerColumns.id]: 'int4',
    [ownerColumns.field]: 'text',
    [ownerColumns.position]: 'float8',
  }
  const columns: readonly RecordColumn[] = [
    { name: 'id', type: 'int4' },
    ...stored.map(({ column, type, definition }) => ({ name: column, type: type.column(definition) })),
    ...(model.kind === 'component' ? Object.entries(ownerTypes).map(([name, type]) => ({ name, type })) : []),
  ]
  const records = rows.map(({ row, id, owner }): Bindable[] => [
    id,
    ...stored.map((attribute) => row.values.get(attribute) ?? null),
    ...(owner ? [owner.model.uid, owner.id, owner.field, owner.position] : []),
  ])
  const names = [...columns.map(({ name }) => name), ...now.map(({ column }) => column)].map(quoted)
  const values = [...columns.map(({ name }) => `"r".${quoted(name)}`), ...now.map(() => 'now()')]
  await tx.query(
    `insert into ${quoted(model.table)} (${names.join(', ')}) select ${values.join(', ')} from ${recordset('r', columns, 1)}`,
    [recordsetValue(columns, records)],
  )
}

async function updateRow({ row, id, owner }: Placed, tx: Transaction): Promise<void> {
  const { model } = row
  const parameters: Bindable[] = [id]
  const set = [...row.values].map(([{ column }, value]) => `${quoted(column)} = $${parameters.push(value)}`)
  const updatedAt = model.attributes.get('updatedAt')
  if (model.kind !== 'component' && updatedAt?.kind === 'scalar')
    set.push(`${quoted(updatedAt.column)} = now()`)
  if (owner) set.push(`${quoted(ownerColumns.position)} = $${parameters.push(owner.position)}`)
  if (set.length > 0)
    await tx.query(`update ${quoted(model.table)} set ${set.join(', ')} where "id" = $1`, parameters)
}
