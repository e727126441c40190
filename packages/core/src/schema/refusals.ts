/** The contents of a database that a schema update refuses to touch. */
import type { SchemaDifference } from '@mikro-orm/postgresql'
import type { NamedRow, Transaction } from '@octavo/database'
import { join, param, sql, where } from '@octavo/database'
import { movedTables } from './left-behind/moved-tables.ts'
import { notedAmong, notesTable } from './notes.ts'
import { quote } from './quote.ts'
import type { SchemaRefusal } from './schema-error.ts'
import type { Table } from './tables/tables.ts'

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

/** The words for relations that are not tables, by `relkind` of `pg_class`. */
const objects: Readonly<Record<string, string>> = {
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
  S: 'sequence',
  i: 'index',
  I: 'index',
  c: 'type',
}

/** Views and other objects of other programs with the names of tables. */
export async function foreignObjects(
  tx: Transaction,
  tables: readonly Table[],
): Promise<readonly SchemaRefusal[]> {
  const names = tables.map(({ name }) => name)
  const rows = await tx.run(
    sql`select relname as "table", relkind::text as "kind" from pg_class where relnamespace = current_schema()::regnamespace and relkind = any(${param(Object.keys(objects), 'text[]')}) and relname = any(${param(names, 'text[]')}) order by 1`,
  )
  return rows.map(({ table, kind }) => {
    const [name, object] = [table ?? '', objects[kind ?? ''] ?? 'table']
    return {
      table: name,
      reason: `the database has a ${object} of this name, which Octavo did not create.`,
      sql: `-- to rename it\nalter ${object} ${quote(name)} rename to ${quote(`${name}_old`)};`,
    }
  })
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

/** Keys with values whose target is another table now: the same numbers would be other entries. */
export async function otherTargets(
  tx: Transaction,
  tables: readonly Table[],
): Promise<readonly SchemaRefusal[]> {
  const moved = await movedTables(tx, tables)
  const refusals: SchemaRefusal[] = []
  for (const { table: name, column, target } of await keyTargets(tx)) {
    const table = tables.find((one) => one.name === name)
    const wanted = table?.columns.find((one) => one.name === column)?.references?.table
    if (!table || !column || !target || wanted === undefined || wanted === target) continue
    const [filled] = await tx.run(
      sql`select 1 as "one" from ${sql.id(table.name)} where ${sql.id(column)} is not null limit 1`,
    )
    if (!filled) continue
    const head = moved.find(({ from, to }) => from === target && to === wanted)
    refusals.push({
      table: table.name,
      column,
      reason: head
        ? `it has ids of "${target}", and ${head.label} has the table "${wanted}" now, by its collectionName.`
        : `it has ids of "${target}", and the relation leads to "${wanted}" now, where the same ids are other entries. Give the relation another name to keep the former links.`,
      sql: head
        ? (head.sql ?? `-- first move the rows of "${target}" to "${wanted}", which has rows of its own`)
        : table.primaryKey.includes(column) ||
            table.columns.some((one) => one.name === column && !one.nullable)
          ? `-- to remove the links\ndelete from ${quote(table.name)};`
          : `-- to remove the links\nupdate ${quote(table.name)} set ${quote(column)} = null;`,
    })
  }
  return refusals
}

/** The tables that Octavo's foreign keys lead to. */
export function keyTargets(tx: Transaction): Promise<readonly NamedRow[]> {
  return tx.run(
    sql`select t.relname as "table", a.attname as "column", r.relname as "target" from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1] where k.contype = 'f' and cardinality(k.conkey) = 1 and k.conname like '%\\_foreign' and t.relnamespace = current_schema()::regnamespace order by 1, 2`,
  )
}
