import type { SchemaDifference } from '@mikro-orm/postgresql'
import { type Sql, sql, type Transaction } from '@octavo/database'
import { quote } from './quote.ts'
import type { SchemaRefusal } from './schema-error.ts'
import type { Table } from './tables/tables.ts'

/** Bytes of the values in a row of an index: a third of a page, without the head of the row. */
const most = 2_696

/** Values that are too long for a new index, of which PostgreSQL would refuse the first one. Sizes are those of the compressed values. */
export async function longValues(
  tx: Transaction,
  difference: SchemaDifference,
  tables: readonly Table[],
): Promise<readonly SchemaRefusal[]> {
  const refusals: SchemaRefusal[] = []
  for (const changed of Object.values(difference.changedTables)) {
    const table = tables.find(({ name }) => name === changed.name)
    const added = [...Object.values(changed.addedIndexes), ...Object.values(changed.changedIndexes)]
    for (const { columnNames, unique } of added) {
      // A new column has no values.
      if (!table || !columnNames.every((name) => changed.fromTable.hasColumn(name))) continue
      // Numbers and times are short.
      if (!table.columns.some(({ name, type }) => columnNames.includes(name) && isLong(type))) continue
      const { count, some } = await longest(tx, table, columnNames)
      if (count === 0) continue
      const columns = columnNames.map(quote)
      const size = columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ')
      const use = unique ? 'requires unique values' : 'has an index'
      refusals.push({
        table: table.name,
        column: columnNames.join(', '),
        reason: `${table.label} ${use}, and ${count === 1 ? 'a value is' : `${count} values are`} too long for one, which takes ${most} bytes, compressed: ${some}.`,
        sql: `select ${quote(keyOf(table))}, ${size} as bytes from ${quote(table.name)} where ${size} > ${most} order by 2 desc;\n-- then shorten these values, or leave out ${unique ? 'unique' : 'the index'}`,
      })
    }
  }
  return refusals
}

const keyOf = ({ primaryKey }: Table): string => primaryKey[0] ?? 'id'

const isLong = (type: string): boolean => /^(text|jsonb?|varchar|character varying)/i.test(type)

/** The number of rows whose values are too long, and the longest three of them. */
async function longest(tx: Transaction, table: Table, names: readonly string[]) {
  const sizes = names.map((name): Sql => sql`coalesce(pg_column_size(${sql.id(name)}), 0)`)
  const size = sql.join(sizes, sql` + `)
  const rows = await tx.run(
    sql`select ${sql.id(keyOf(table))} as "key", ${size} as "bytes", count(*) over () as "count" from ${sql.id(table.name)} where ${size} > ${sql.lit(most)} order by 2 desc, 1 limit 3`,
  )
  const some = rows.map(({ key, bytes }) => `the one of ${key} (${bytes} bytes)`).join(', ')
  return { count: Number(rows[0]?.count ?? 0), some }
}
