import { param, type Sql, sql } from '@octavo/database'
import { writtenId, writtenIds } from '../../compile/written-ids.ts'
import { allRows, type RowWrite } from '../input/write-plan.ts'
import { keysOf } from './relations.ts'

/** The ids of the rows of a write: those that exist have theirs, and new ones take theirs from the sequences. */
export interface RowIds {
  /** The ids of all rows, as an expression of the type `int4[]`. */
  readonly all: Sql
  /** The number of a row in the list, from 1; `undefined` for a new component to which no row refers. */
  numberOf(row: RowWrite): number | undefined
  /** The id of a row, as an expression; null when the write is refused, which no row meets. */
  of(row: RowWrite): Sql
}

/** The rows in the order of their ids. */
const rowsOf = (roots: readonly RowWrite[]): readonly RowWrite[] =>
  roots.flatMap((root) => allRows(root).filter((row) => row === root || isReferredTo(row)))

/** Whether other rows of the write refer to a row. A new component to which none does gets its id when it is inserted. */
const isReferredTo = (row: RowWrite): boolean =>
  row.id !== undefined ||
  row.components.some(({ items }) => items.length > 0) ||
  row.morphs.length > 0 ||
  keysOf(row).length < row.relations.length

function rowIds(roots: readonly RowWrite[], all: Sql, at: (number: number) => Sql): RowIds {
  const numbers = new Map(rowsOf(roots).map((row, i) => [row, i + 1]))
  const of = (row: RowWrite): Sql => {
    const number = numbers.get(row)
    if (number === undefined) throw new Error(`No id was taken for a row of ${row.model.table}`)
    return at(number)
  }
  return { all, numberOf: (row) => numbers.get(row), of }
}

/** Ids that an earlier statement of the message has set. */
export const idsOfMessage = (roots: readonly RowWrite[]): RowIds =>
  rowIds(roots, writtenIds, (number) =>
    number === 1 ? writtenId : sql`(${writtenIds})[${param(number, 'int4')}]`,
  )

/** Whether a message may have the ids of a row and those below: each statement reads all of them, in time with the square of their number. */
export const hasFewIds = (row: RowWrite) => allRows(row).length <= 100 || rowsOf([row]).length <= 100

/** Ids that are known. */
export const knownIds = (roots: readonly RowWrite[], ids: readonly number[]): RowIds =>
  rowIds(roots, param(ids, 'int4[]'), (number) => param(ids[number - 1] ?? null, 'int4'))

/** The ids of the rows below an entry, of which new ones are taken from the sequences, as an expression of the type `int4[]`; `undefined`: there are none. */
export const idsBelow = (root: RowWrite): Sql | undefined => takenIds(rowsOf([root]).slice(1))

function takenIds(rows: readonly RowWrite[]): Sql | undefined {
  if (rows.length === 0) return undefined
  const tables = rows.map(({ model }) => `"${model.table}"`)
  const ids = rows.map(({ id }) => id ?? null)
  return sql`array(select coalesce("r"."id", nextval(pg_get_serial_sequence("r"."table", 'id'))) from unnest(${param(tables, 'text[]')}, ${param(ids, 'int4[]')}) with ordinality as "r" ("table", "id", "n") order by "r"."n")::int4[]`
}

/** The ids of the rows, of which new ones are taken from the sequences, as an expression of the type `int4[]`; `undefined`: there are no new ones. */
export function newIds(roots: readonly RowWrite[]): Sql | undefined {
  const rows = rowsOf(roots)
  return rows.some(({ id }) => id === undefined) ? takenIds(rows) : undefined
}

/** The ids of rows that have one. */
export const storedIds = (roots: readonly RowWrite[]): readonly number[] =>
  rowsOf(roots).flatMap(({ id }) => id ?? [])
