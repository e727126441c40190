/** Rows of components, zones, media and polymorphic relations that no attribute of their owner reads. */
import type { Transaction } from '@octavo/database'
import { sql } from '@octavo/database'
import { ownerColumns, type Registry } from '../../content-type/model.ts'
import { existingColumns } from '../existing-columns.ts'
import { notesWith, writeNote } from '../notes.ts'
import { quote } from '../quote.ts'
import { partsOf } from '../tables/parts.ts'
import type { Table } from '../tables/tables.ts'
import { linksTo } from './moved-tables.ts'

/** Sentences about rows that no attribute reads although their owner is still there, perhaps under another uid. Reads each table once. */
export async function hiddenParts(
  tx: Transaction,
  registry: Registry,
  all: readonly Table[],
): Promise<readonly string[]> {
  const renamed = await renamedModels(tx, all)
  const parts = partsOf(registry)
  const models = new Set([...registry.contentTypes.keys(), ...registry.components.keys()])
  const tables = new Set([
    ...[...registry.components.values()].map(({ table }) => table),
    ...parts.flatMap((part) => part.tables),
    ...(await formerTables(tx, all)),
  ])
  const sentences = new Set<string>()
  for (const [table, columns] of await existingColumns(tx, [...tables].sort())) {
    if (!Object.values(ownerColumns).every((column) => columns.has(column))) continue
    for (const { owner, field, rows, several } of await rowsIn(tx, table)) {
      const now = renamed.get(owner)
      if (now !== undefined)
        sentences.add(
          `${now}: the table "${table}" has rows of ${owner}, which had the table of ${now} before; nothing reads them. If it was renamed, run: update ${quote(table)} set ${ownerColumns.type} = '${now}' where ${ownerColumns.type} = '${owner}'`,
        )
      // Rows of a polymorphic relation without an inverse attribute have no field.
      if (!models.has(owner) || field === '') continue
      const part = parts.find((one) => one.owner === owner && one.field === field)
      if (!part?.tables.includes(table))
        sentences.add(
          `${owner}: the table "${table}" has rows of "${field}" that no attribute reads (${rows}). If the attribute was renamed, add "renamedFrom" with its old name; if it holds other values now, or a component was removed from a dynamic zone, the rows stay until it is as before.`,
        )
      else if (part.single && several > 0)
        sentences.add(
          `${owner}: "${field}" holds one value, and entries have several in the table "${table}" (${several}). The first is read, and an update that sends the attribute replaces all of them.`,
        )
    }
  }
  return [...sentences]
}

/** The tables of components that were removed from the definitions. Tables of other components, and links, are reported by `hiddenData`. */
async function formerTables(tx: Transaction, all: readonly Table[]): Promise<readonly string[]> {
  const labels = new Set(all.map(({ label }) => label))
  const noted = [...(await notesWith(tx, 'table:'))]
  return noted
    .filter(([, label]) => !labels.has(label) && !label.startsWith(linksTo))
    .map(([key]) => key.slice('table:'.length))
}

const prefix = 'renamed-model:'

/** The uids of models that are gone, with the uid that has their table now. */
async function renamedModels(
  tx: Transaction,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, string>> {
  const labels = new Set(tables.map(({ label }) => label))
  const renamed = new Map<string, string>()
  for (const [key, now] of await notesWith(tx, prefix)) renamed.set(key.slice(prefix.length), now)
  for (const [key, label] of await notesWith(tx, 'table:')) {
    const now = tables.find(({ name }) => name === key.slice('table:'.length))?.label
    if (now !== undefined && now !== label) renamed.set(label, now)
  }
  return new Map([...renamed].filter(([before, now]) => !labels.has(before) && labels.has(now)))
}

/** Notes which models were renamed, before their tables are noted under the new uid. */
export async function noteRenamedModels(tx: Transaction, tables: readonly Table[]): Promise<void> {
  for (const [before, now] of await renamedModels(tx, tables)) await writeNote(tx, `${prefix}${before}`, now)
}

/** The number of rows of each attribute in a table, and of the owners with several. */
async function rowsIn(tx: Transaction, table: string) {
  const type = sql.id(ownerColumns.type)
  const id = sql.id(ownerColumns.id)
  const field = sql.id(ownerColumns.field)
  const rows = await tx.run(
    sql`select ${type} as "owner", ${field} as "field", sum(n) as "rows", count(*) filter (where n > 1) as "several" from (select ${type}, ${field}, ${id}, count(*) as n from ${sql.id(table)} group by 1, 2, 3) as owners group by 1, 2 order by 1, 2`,
  )
  return rows.map(({ owner, field, rows, several }) => ({
    owner: owner ?? '',
    field: field ?? '',
    rows: Number(rows),
    several: Number(several),
  }))
}
