/** Tables whose content-type or component has another table now, because its `collectionName` changed. */
import type { Transaction } from '@octavo/database'
import { type Sql, sql, toStatement } from '@octavo/database'
import { notesTable, notesWith } from '../notes.ts'
import { hasRelation } from '../own-relation.ts'
import type { Table } from '../tables/tables.ts'

/** A table that was left behind, and the one that is declared in its place. */
export interface MovedTable {
  /** The uid of the model. */
  readonly label: string
  readonly from: string
  readonly to: string
  /** Gives the former table, with those of its links, the new name, in place of an empty one; `undefined` where the new one has rows. */
  readonly sql: string | undefined
}

/** The beginning of the label of a table with links of many owners. */
export const linksTo = 'the links to '

/** The kinds of notes about a table. */
const kinds = ['table', 'columns', 'totals', 'search', 'words'] as const

/** The models whose rows are in a table that is declared no more. Does not need the new tables to exist. */
export async function movedTables(tx: Transaction, tables: readonly Table[]): Promise<readonly MovedTable[]> {
  const declared = new Set(tables.map(({ name }) => name))
  const pairs: { readonly label: string; readonly from: string; readonly to: string }[] = []
  for (const [key, label] of await notesWith(tx, 'table:')) {
    const from = key.slice('table:'.length)
    // Several tables have the links to a content-type.
    const to = label.startsWith(linksTo) ? undefined : tables.find((table) => table.label === label)?.name
    if (to !== undefined && !declared.has(from) && (await hasRows(tx, from))) pairs.push({ label, from, to })
  }
  // Links are the tables of a model as well: api::book.book.authors.
  const heads = pairs.filter(({ label }) => !pairs.some((other) => label.startsWith(`${other.label}.`)))
  const moved: MovedTable[] = []
  for (const head of heads) {
    const all = pairs.filter(({ label }) => label === head.label || label.startsWith(`${head.label}.`))
    let isFree = true
    for (const { to } of all) if (await hasRows(tx, to)) isFree = false
    moved.push({ ...head, sql: isFree ? renaming(all) : undefined })
  }
  return moved
}

/** One line, so that it is run as a whole: a statement of it alone leaves the notes behind. */
function renaming(pairs: readonly { readonly from: string; readonly to: string }[]): string {
  const notes = sql.raw(notesTable)
  const key = (kind: string, name: string): Sql => sql.lit(`${kind}:${name}`)
  const keys = (name: string): Sql => sql.join(kinds.map((kind) => key(kind, name)))
  const statements = [
    sql`drop table if exists ${sql.join(pairs.map(({ to }) => sql.id(to)))} cascade`,
    ...pairs.flatMap(({ from, to }) => [
      sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`,
      sql`delete from ${notes} where key in (${keys(to)})`,
      ...['table', 'columns'].map(
        (kind) => sql`update ${notes} set key = ${key(kind, to)} where key = ${key(kind, from)}`,
      ),
    ]),
    // So that the next start compares the indexes and keys, which have the former names.
    sql`delete from ${notes} where key = ${sql.lit('fingerprint')}`,
  ]
  return ['begin', ...statements.map((statement) => toStatement(statement).text), 'commit;'].join('; ')
}

/** Whether a table exists, and has rows. */
export async function hasRows(tx: Transaction, table: string): Promise<boolean> {
  if (!(await hasRelation(tx, table))) return false
  const rows = await tx.run(sql`select 1 as "one" from ${sql.id(table)} limit 1`)
  return rows.length > 0
}
