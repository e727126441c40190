/** Sentences about rows of a table that contradict others. Ids are listed up to some. */
import type { NamedRow, Sql, Transaction } from '@octavo/database'
import { column, join, param, sql } from '@octavo/database'
import { type Model, ownerColumns, type Registry } from '../../content-type/model.ts'
import type { Table } from '../tables/tables.ts'

/** Keys that a sentence lists at most. */
const listed = 10

/** Reads the rows themselves from here on: an index may lack some. */
export async function onlyRows(tx: Transaction): Promise<void> {
  await setScans(tx, { rows: true, indexes: false })
}

async function setScans(
  tx: Transaction,
  { rows, indexes }: { rows: boolean; indexes: boolean },
): Promise<void> {
  const set = (setting: string, isOn: boolean): Promise<readonly NamedRow[]> =>
    tx.run(sql`set local ${sql.raw(setting)} = ${sql.raw(isOn ? 'on' : 'off')}`)
  await set('enable_seqscan', rows)
  await set('enable_sort', rows)
  await set('enable_indexscan', indexes)
  await set('enable_indexonlyscan', indexes)
  await set('enable_bitmapscan', false)
}

/** Values of the primary key that several rows have. */
export async function sameKeys(
  tx: Transaction,
  { name, label, primaryKey }: Table,
): Promise<readonly string[]> {
  await onlyRows(tx)
  const key = join(primaryKey.map(sql.id), ', ')
  const rows = await tx.run(
    sql`select concat_ws(', ', ${key}) as "key" from ${sql.id(name)} group by ${key} having count(*) > 1 order by ${key}`,
  )
  return rows.length === 0
    ? []
    : [`${label}: several rows have the same ${primaryKey.join(' and ')}: ${list(rows)}`]
}

/** Indexes through which fewer rows, or more, are found than the table has. */
export async function unindexed(tx: Transaction, { name, label }: Table): Promise<readonly string[]> {
  const indexes = await tx.run(
    sql`select i.relname as "index", string_agg(format('%I', a.attname), ', ' order by k.n) as "columns" from pg_index x join pg_class i on i.oid = x.indexrelid join pg_am m on m.oid = i.relam join pg_class t on t.oid = x.indrelid cross join lateral unnest(x.indkey) with ordinality as k(place, n) join pg_attribute a on a.attrelid = t.oid and a.attnum = k.place where t.relnamespace = current_schema()::regnamespace and t.relname = ${param(name, 'text')} and m.amname = 'btree' and x.indisvalid and x.indpred is null and x.indexprs is null group by 1 order by 1`,
  )
  await setScans(tx, { rows: true, indexes: false })
  const [all] = await tx.run(sql`select count(*) as "n" from ${sql.id(name)}`)
  await setScans(tx, { rows: false, indexes: true })
  const texts: string[] = []
  for (const { index, columns } of indexes) {
    // The order makes PostgreSQL read the index.
    const [found] = await tx.run(
      sql`select count(*) as "n" from (select from ${sql.id(name)} order by ${sql.raw(columns ?? '')} offset 0) as r`,
    )
    if (found?.n !== all?.n)
      texts.push(`${label}: the index ${index} has ${found?.n} of the ${all?.n} rows of the table ${name}`)
  }
  return texts
}

/** Links whose target is not there. */
export async function lostTargets(
  tx: Transaction,
  { name, label, columns }: Table,
): Promise<readonly string[]> {
  const texts: string[] = []
  for (const { name: key, references } of columns) {
    if (!references) continue
    const value = column('r', key)
    const rows = await tx.run(
      sql`select ${value} as "key", count(*) as "n" from ${sql.id(name)} as r where ${isLost(value, references.table)} group by 1 order by 1`,
    )
    if (rows.length > 0)
      texts.push(
        `${label}: ${sumOf(rows)} links lead to rows that the table ${references.table} does not have: ${list(rows)}`,
      )
  }
  return texts
}

/** Whether a value is the id of no row of a table. */
export const isLost = (value: Sql, table: string): Sql =>
  sql`${value} is not null and not exists (select from ${sql.id(table)} as target where target.id = ${value})`

/** Parts and links of entries that are not there. */
export async function lostOwners(
  tx: Transaction,
  table: Table,
  registry: Registry,
): Promise<readonly string[]> {
  const texts: string[] = []
  for (const owner of await ownersIn(tx, table, registry)) {
    const rows = await tx.run(
      sql`select ${column('r', ownerColumns.id)} as "key", count(*) as "n" from ${sql.id(table.name)} as r where ${isOwnerLost(owner)} group by 1 order by 1`,
    )
    if (rows.length > 0)
      texts.push(
        `${table.label}: ${sumOf(rows)} rows belong to entries that ${owner.uid} does not have: ${list(rows)}`,
      )
  }
  return texts
}

/** The models of which a table has parts or links. A model that is no longer declared is left out: its rows stay. */
async function ownersIn(
  tx: Transaction,
  { name, columns }: Table,
  registry: Registry,
): Promise<readonly Model[]> {
  if (!hasOwners(columns)) return []
  const rows = await tx.run(
    sql`select distinct ${sql.id(ownerColumns.type)} as "uid" from ${sql.id(name)} order by 1`,
  )
  return rows.flatMap(({ uid }) => modelsOf(registry).find((model) => model.uid === uid) ?? [])
}

export const hasOwners = (columns: Table['columns']): boolean =>
  columns.some(({ name }) => name === ownerColumns.type)

export const modelsOf = (registry: Registry): readonly Model[] => [
  ...registry.contentTypes.values(),
  ...registry.components.values(),
]

/** Whether the owner of the row `r` is one of a model, and is not there. */
export const isOwnerLost = ({ uid, table }: Model): Sql =>
  sql`${column('r', ownerColumns.type)} = ${sql.lit(uid)} and ${isLost(column('r', ownerColumns.id), table)}`

/** An id that would be given although a row has it. */
export async function idsBehind(
  tx: Transaction,
  { name, label, primaryKey }: Table,
): Promise<readonly string[]> {
  if (primaryKey[0] !== 'id') return []
  const [row] = await tx.run(
    sql`select s.last_value as "last", (select max(id) from ${sql.id(name)}) as "most" from pg_sequences s where format('%I.%I', s.schemaname, s.sequencename)::regclass = pg_get_serial_sequence(${sql.lit(`"${name}"`)}, 'id')::regclass`,
  )
  const [last, most] = [Number(row?.last ?? 0), Number(row?.most ?? 0)]
  return last >= most
    ? []
    : [`${label}: the last id that was given is ${last}, and there is an entry with ${most}`]
}

const sumOf = (rows: readonly NamedRow[]): string => String(rows.reduce((sum, { n }) => sum + Number(n), 0))

function list(rows: readonly NamedRow[]): string {
  const keys = rows.slice(0, listed).map(({ key }) => key)
  return rows.length > listed ? `${keys.join(', ')} and ${rows.length - listed} more` : keys.join(', ')
}
