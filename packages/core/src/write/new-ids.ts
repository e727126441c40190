import type { BatchedTransaction } from '@octavo/database'
import { param, type Sql, sql } from '@octavo/database'
import { allRows, type RowWrite } from './write-plan.ts'

/** A setting of the transaction with the id of a new entry, for the statements of the same message. */
export const newIdSetting = 'octavo.id'

export const newId: Sql = sql.raw(`current_setting('${newIdSetting}')::int4`)

/** New ids from the sequences, in the order of the new rows. They are complete after the next statement. */
export type NewIds = readonly number[]

/** A new row without components: its id is not needed before the insert. */
export const isFlat = ({ id, components }: RowWrite): boolean =>
  id === undefined && components.every(({ items }) => items.length === 0)

/**
 * Takes the ids of all new rows from the sequences, so that components can refer to their owners before the insert. It is sent
 * with the next statement, which is a check of the rows in most cases.
 */
export function sendNewIds(roots: readonly RowWrite[], tx: BatchedTransaction): NewIds {
  const [only] = roots
  const tables =
    only && roots.length === 1 && isFlat(only) ? [] : newRowsOf(roots).map((row) => `"${row.model.table}"`)
  const ids: number[] = []
  if (tables.length > 0)
    // One text for all writes. PostgreSQL expects few elements of an array, so that it reuses the plan.
    tx.send(
      sql`select nextval(pg_get_serial_sequence("r"."table", 'id')) from unnest(${param(tables, 'text[]')}) with ordinality as "r" ("table", "n") order by "r"."n"`,
      ([id]) => ids.push(Number(id)),
    )
  return ids
}

/** The ids of the new rows. They may be other objects than those of {@link sendNewIds}, in the same order. */
export async function newIdsOf(
  roots: readonly RowWrite[],
  sent: NewIds,
  tx: BatchedTransaction,
): Promise<ReadonlyMap<RowWrite, number>> {
  const rows = newRowsOf(roots)
  if (sent.length < rows.length) await tx.flush()
  return new Map(rows.map((row, i) => [row, idAt(sent, i, row)]))
}

const newRowsOf = (roots: readonly RowWrite[]): readonly RowWrite[] =>
  roots.flatMap((root) => [...allRows(root)].filter(({ id }) => id === undefined))

function idAt(ids: NewIds, i: number, { model }: RowWrite): number {
  const id = ids[i]
  if (id === undefined) throw new Error(`No id was taken for a row of ${model.table}`)
  return id
}
