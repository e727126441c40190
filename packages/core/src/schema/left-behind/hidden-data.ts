import type { Transaction } from '@octavo/database'
import { sql } from '@octavo/database'
import { wordsColumn } from '../../content-type/search/full-text.ts'
import { existingColumns } from '../existing-columns.ts'
import { notesWith, writeNote } from '../notes.ts'
import { expandedRenames, isTwin, isTwinTable } from '../renames/expand-renames.ts'
import type { Table } from '../tables/tables.ts'
import { hasRows, linksTo, movedTables } from './moved-tables.ts'

/** Whether every declared column exists, regardless of the fingerprint: a column may have been dropped. */
export async function isComplete(tx: Pick<Transaction, 'run'>, tables: readonly Table[]): Promise<boolean> {
  const existing = await existingColumns(
    tx,
    tables.map(({ name }) => name),
  )
  return tables.every(({ name, columns, words }) => {
    const found = existing.get(name)
    return (
      found !== undefined &&
      columns.every((column) => found.has(column.name)) &&
      (words === undefined || found.has(wordsColumn))
    )
  })
}

/**
 * Sentences about values that no attribute reads any more, although its content-type is still there: an attribute was
 * renamed, or another kind of relation stores its links elsewhere. Only columns and tables that a definition once
 * declared are examined.
 */
export async function hiddenData(tx: Transaction, tables: readonly Table[]): Promise<readonly string[]> {
  const declared = new Map(tables.map((table) => [table.name, table]))
  const sentences: string[] = []
  const noted = await notesWith(tx, 'columns:')
  const existing = await existingColumns(tx, [...declared.keys()])
  const expanded = await expandedRenames(tx)
  for (const { name, label, columns } of tables) {
    const once = noted.get(`columns:${name}`)?.split(',') ?? []
    for (const column of once) {
      if (columns.some((now) => now.name === column) || !existing.get(name)?.has(column)) continue
      if (isTwin(name, column, expanded) || (await isUnset(tx, name, column))) continue
      sentences.push(
        `${label}: the column "${column}" of the table "${name}" has values that no attribute reads. If the attribute was renamed, add "renamedFrom" with its old name; if its relation became another kind, octavo convert-relations moves the links; if an option that adds it was switched off, such as draftAndPublish, the values stay until it is on again.`,
      )
    }
  }
  const moved = await movedTables(tx, tables)
  for (const { label, from, to, sql: renaming } of moved)
    sentences.push(
      `${label}: its entries are in the table "${to}" now, and the table "${from}" has rows that nothing reads. If collectionName was changed, ${renaming ? `give the table the new name while no process runs: ${renaming}` : `move the rows of "${from}" to "${to}", which has rows of its own since`}`,
    )
  for (const [key, label] of await notesWith(tx, 'table:')) {
    const name = key.slice('table:'.length)
    const isPart = tables.some(
      (table) =>
        label.startsWith(`${table.label}.`) || label === table.label || label === `${linksTo}${table.label}`,
    )
    const isMoved = moved.some((head) => label === head.label || label.startsWith(`${head.label}.`))
    if (declared.has(name) || !isPart || isMoved || isTwinTable(name, expanded)) continue
    if (!(await hasRows(tx, name))) continue
    sentences.push(
      `${label}: the table "${name}" has links that no attribute reads. If the relation was renamed, add "renamedFrom" with its old name; if it became another kind of relation, octavo convert-relations moves them.`,
    )
  }
  return sentences
}

/** Notes the columns that are declared now, besides those that once were. */
export async function noteColumns(tx: Transaction, tables: readonly Table[]): Promise<void> {
  const noted = await notesWith(tx, 'columns:')
  for (const { name, columns } of tables) {
    const key = `columns:${name}`
    // A position follows the key beside it.
    const now = columns.filter(({ type }) => type !== 'double precision').map((column) => column.name)
    const all = new Set([...(noted.get(key)?.split(',') ?? []), ...now])
    await writeNote(tx, key, [...all].join())
  }
}

async function isUnset(tx: Transaction, table: string, column: string): Promise<boolean> {
  const rows = await tx.run(
    sql`select 1 as "one" from ${sql.id(table)} where ${sql.id(column)} is not null limit 1`,
  )
  return rows.length === 0
}
