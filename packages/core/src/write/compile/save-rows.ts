import { type BatchedTransaction, type Sql, sql } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import type { RowWrite } from '../input/write-plan.ts'
import { deletionOfLeftOut } from './delete-rows.ts'
import type { RowIds } from './ids.ts'
import { writeMorph } from './morphs.ts'
import { writeRelations } from './relations.ts'
import { insertOf, type PlacedRow, updateOf } from './row-statements.ts'

/**
 * Sends the statements of checked rows with their components and relations. All new rows are inserted with one statement.
 * @param written A row whose own values are written already.
 */
export function saveRows(
  roots: readonly RowWrite[],
  ids: RowIds,
  registry: Registry,
  tx: BatchedTransaction,
  written?: RowWrite,
): void {
  const placed = roots.flatMap((root) => place(root, undefined))
  for (const { row } of placed) {
    const leftOut = row.id === undefined ? undefined : deletionOfLeftOut(row, ids.of(row), registry)
    if (leftOut) tx.send(leftOut)
  }
  const unwritten = placed.filter(({ row }) => row !== written)
  const fresh = unwritten.filter(({ row }) => row.id === undefined)
  const inserts = [...Map.groupBy(fresh, ({ row }) => row.model)].flatMap(([model, rows]) =>
    [...Map.groupBy(rows, ({ row }) => ids.numberOf(row) === undefined).values()].map((some) =>
      insertOf(model, some, ids),
    ),
  )
  if (inserts.length > 0) tx.send(together(inserts))
  for (const { row, owner } of unwritten) {
    const update = row.id === undefined ? undefined : updateOf(row, ids.of(row), owner?.position)
    if (update) tx.send(update)
  }
  for (const { row } of placed) {
    if (ids.numberOf(row) === undefined) continue
    if (row.relations.length > 0) writeRelations(row, ids.of(row), registry, tx)
    for (const morph of row.morphs) writeMorph(morph, ids.of(row), tx)
  }
}

/** Inserts of several tables as one statement: nothing in a part refers to the row of another that must be there before. */
function together(inserts: readonly Sql[]): Sql {
  const last = inserts.at(-1) as Sql // there is one
  const others = inserts.slice(0, -1).map((insert, i) => sql`${sql.id(`i${i}`)} as (${insert})`)
  return others.length === 0 ? last : sql`with ${sql.join(others)} ${last}`
}

const place = (row: RowWrite, owner: PlacedRow['owner']): readonly PlacedRow[] => [
  { row, owner },
  ...row.components.flatMap(({ attribute, items }) =>
    items.flatMap((item, i) => place(item, { row, field: attribute.name, position: i + 1 })),
  ),
]
