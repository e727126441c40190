import type { BatchedTransaction } from '@octavo/database'
import { param } from '@octavo/database'
import type { Registry } from '../content-type/model.ts'
import { deleteComponents } from './delete-rows.ts'
import { writeMorphs } from './morphs.ts'
import { isFlat, type NewIds, newIdsOf } from './new-ids.ts'
import { keysOf, writeRelations } from './relations.ts'
import { insertOf, insertSeveralOf, type PlacedRow, updateOf } from './row-statements.ts'
import type { RowWrite } from './write-plan.ts'

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
  const placed: PlacedRow[] = []
  for (const root of roots) place(root, undefined, ids, placed)

  for (const { row, id } of placed) if (row.id !== undefined) await deleteLeftOut(row, id, registry, tx)
  const fresh = placed.filter(({ row }) => row.id === undefined)
  for (const [model, rows] of Map.groupBy(fresh, ({ row }) => row.model))
    tx.send(insertSeveralOf(model, rows))
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
  owner: PlacedRow['owner'],
  ids: ReadonlyMap<RowWrite, number>,
  placed: PlacedRow[],
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

/** @returns its id */
async function insertRow(row: RowWrite, tx: BatchedTransaction): Promise<number> {
  const [made] = await tx.run(insertOf(row))
  return Number(made?.id)
}
