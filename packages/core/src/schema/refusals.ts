/** The contents of a database that a schema update refuses to touch. */
import type { SchemaDifference } from '@mikro-orm/postgresql'
import type { NamedRow, Transaction } from '@octavo/database'
import { join, sql, where } from '@octavo/database'
import { notedAmong, notesTable } from './notes.ts'
import { quote } from './quote.ts'
import type { SchemaRefusal } from './schema-error.ts'
import type { Table } from './tables.ts'

/** Tables with a declared name that Octavo did not create. Their data must not be mixed with Octavo's. */
export async function foreignTables(
  tx: Transaction,
  existing: readonly string[],
): Promise<readonly SchemaRefusal[]> {
  const ours = await notedAmong(
    tx,
    existing.map((name) => `table:${name}`),
  )
  return existing
    .filter((name) => !ours.has(`table:${name}`) && !name.startsWith('octavo_'))
    .map((table) => ({
      table,
      reason: 'the table exists, but Octavo did not create it.',
      sql:
        `-- to rename it\nalter table "${table}" rename to "${table}_old";\n` +
        `-- or, to use it: Octavo then adds the missing columns\n` +
        `insert into ${notesTable} values ('table:${table}', 'adopted');`,
    }))
}

/** Values that occur twice in the columns of a new unique index, with the three most frequent of them. */
export async function duplicateValues(
  tx: Transaction,
  difference: SchemaDifference,
  tables: readonly Table[],
): Promise<readonly SchemaRefusal[]> {
  const refusals: SchemaRefusal[] = []
  for (const table of Object.values(difference.changedTables)) {
    const added = [...Object.values(table.addedIndexes), ...Object.values(table.changedIndexes)]
    for (const index of added.filter(
      (index) => index.unique && index.columnNames.every((name) => table.fromTable.hasColumn(name)),
    )) {
      const columns = index.columnNames.map(quote)
      const from = `from ${quote(table.name)} where ${columns.map((column) => `${column} is not null`).join(' and ')}`
      const twice = `group by ${columns.join(', ')} having count(*) > 1`
      const rows = await repeated(tx, table.name, index.columnNames)
      if (rows.length === 0) continue
      const label = tables.find(({ name }) => name === table.name)?.label
      const some = rows.map(({ values, count }) => `${values?.slice(1, -1)} (${count} times)`).join(', ')
      refusals.push({
        table: table.name,
        column: index.columnNames.join(', '),
        reason: `${label} requires unique values, and some occur more than once: ${some}.`,
        sql: `select id, ${columns.join(', ')} from ${quote(table.name)} where (${columns.join(', ')}) in (select ${columns.join(', ')} ${from} ${twice}) order by 2, 1;\n-- then change or delete all but one of each`,
      })
    }
  }
  return refusals
}

/** The three most frequent values that occur more than once, with their number. */
function repeated(tx: Transaction, table: string, names: readonly string[]): Promise<readonly NamedRow[]> {
  const columns = names.map((name) => sql.id(name))
  const list = join(columns, ', ')
  const given = where(columns.map((column) => sql`${column} is not null`))
  return tx.run(
    sql`select json_build_array(${list})::text as "values", count(*) from ${sql.id(table)}${given} group by ${list} having count(*) > 1 order by 2 desc, 1 limit 3`,
  )
}
