import type { NamedRow, Transaction } from '@octavo/database'
import { column, join, param, type Sql, sql } from '@octavo/database'
import { notesWith, removeNote, writeNote } from '../notes.ts'
import { shortened } from '../tables/object-names.ts'
import type { Table } from '../tables/tables.ts'
import { totals, totalsTable } from '../tables/totals-table.ts'

type CountedTable = Pick<Table, 'name'> & Required<Pick<Table, 'totals'>>

/** The events that change a number of rows, and what each has of the rows. */
const events = [
  { event: 'insert', rows: sql` referencing new table as new_rows` },
  { event: 'update', rows: sql` referencing old table as old_rows new table as new_rows` },
  { event: 'delete', rows: sql` referencing old table as old_rows` },
  { event: 'truncate', rows: sql`` },
] as const

/** Deltas between two foldings: a total is the sum of fewer rows than that, times its scopes. */
const foldEvery = 256

/** The largest number of deltas that one write folds. */
const foldAtMost = 5_000

/**
 * The statements that make the database keep the totals of the tables that declare them, and no others. Existing rows
 * are counted under a lock that lets readers pass and makes writers wait.
 */
export async function totalsStatements(tx: Transaction, tables: readonly Table[]): Promise<readonly Sql[]> {
  const noted = await notesWith(tx, 'totals:')
  const statements: Sql[] = []
  const [schema = { name: null }] = await tx.run(sql`select current_schema()::text as "name"`)
  // A table without a definition stays as it is, with its triggers.
  for (const table of tables) {
    const note = noted.get(noteKey(table))
    if (isCounted(table)) {
      if (note !== noteOf(table)) statements.push(...keep(table, schema))
    } else if (note !== undefined) statements.push(...release(table.name))
  }
  return statements
}

/** Notes which totals are kept, after {@link totalsStatements} ran. */
export async function noteTotals(tx: Transaction, tables: readonly Table[]): Promise<void> {
  for (const table of tables)
    if (isCounted(table)) await writeNote(tx, noteKey(table), noteOf(table))
    else await removeNote(tx, noteKey(table))
}

/** Counts a table anew, in place of its deltas. Waits for its writers, and makes later ones wait. */
export const recount = (table: CountedTable): readonly Sql[] => [
  sql`lock table ${sql.id(table.name)} in share row exclusive mode`,
  sql`delete from ${totals} where "table" = ${sql.lit(table.name)}`,
  sql`insert into ${totals} ("table", scope, delta) select ${sql.lit(table.name)}, ${scopeOf(table, 'r')}, count(*) from ${sql.id(table.name)} as r group by 2`,
]

/** Makes the index of the deltas anew. */
export const reindexTotals = sql`reindex table ${totals}`

/** The scopes in which the kept number of rows and the counted one differ, in one snapshot. */
export const differences = (table: CountedTable): Sql => sql`
  with counted as (select ${scopeOf(table, 'r')} as scope, count(*) as n from ${sql.id(table.name)} as r group by 1),
    kept as (select scope, sum(delta) as n from ${totals} where "table" = ${param(table.name, 'text')} group by 1)
  select scope::text, coalesce(kept.n, 0) as kept, coalesce(counted.n, 0) as counted
  from counted full join kept using (scope) where coalesce(kept.n, 0) <> coalesce(counted.n, 0) order by 1`

/** Vacuums the deltas early: folding leaves many dead rows in a small table. */
const vacuumEarly = sql`alter table ${sql.id(totalsTable.name)} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`

export const isCounted = (table: Table): table is Table & CountedTable => table.totals !== undefined

const noteKey = ({ name }: Pick<Table, 'name'>): string => `totals:${name}`
/** The number rises when the function changes: the triggers are then made anew, and the rows counted. */
const noteOf = ({ totals: parts }: CountedTable): string => JSON.stringify({ version: 2, parts })

function scopeOf({ totals: parts }: CountedTable, row: string): Sql {
  const texts = parts.map((part) => {
    const value = column(row, part.column)
    return part.by === 'value' ? sql`${value}::text` : sql`(${value} is not null)::text`
  })
  return sql`jsonb_build_array(${join(texts, ', ')})`
}

const functionOf = (name: string): Sql => sql.id(shortened(`octavo_totals_of_${name}`))
const triggerOf = (event: string): Sql => sql.id(`octavo_totals_${event}`)

function keep(table: CountedTable, schema: NamedRow): readonly Sql[] {
  // An update moves no row between scopes when there is one scope.
  const needed = events.filter(({ event }) => event !== 'update' || table.totals.length > 0)
  return [
    vacuumEarly,
    counter(table, sql`${sql.id(schema.name ?? 'public')}.${totals}`),
    ...events.map(({ event }) => sql`drop trigger if exists ${triggerOf(event)} on ${sql.id(table.name)}`),
    ...needed.map(
      ({ event, rows }) =>
        sql`create trigger ${triggerOf(event)} after ${sql.raw(event)} on ${sql.id(table.name)}${rows} for each statement execute function ${functionOf(table.name)}()`,
    ),
    ...recount(table),
  ]
}

const release = (name: string): readonly Sql[] => [
  ...events.map(({ event }) => sql`drop trigger if exists ${triggerOf(event)} on ${sql.id(name)}`),
  sql`drop function if exists ${functionOf(name)}()`,
  sql`delete from ${totals} where "table" = ${sql.lit(name)}`,
]

/**
 * The trigger's function: writes what a statement changed, in the transaction of that statement. One row that is updated
 * would be a queue for all writers of the table; deltas are not.
 *
 * Some writes replace the deltas by their sum. Locked deltas, of another folding, are left out; a transaction with a
 * snapshot of its own (repeatable read) folds nothing, since a row that was folded meanwhile would end it.
 */
function counter(table: CountedTable, into: Sql): Sql {
  const name = sql.lit(table.name)
  const changed = (rows: Sql): Sql =>
    sql`insert into ${into} ("table", scope, delta) select ${name}, scope, sum(n) from (${rows}) as changed group by scope having sum(n) <> 0`
  const each = (rows: string, n: number): Sql =>
    sql`select ${scopeOf(table, 'r')} as scope, ${sql.lit(n)} as n from ${sql.id(rows)} as r`
  return sql`create or replace function ${functionOf(table.name)}() returns trigger language plpgsql as $totals$
begin
  if tg_op = 'INSERT' then
    ${changed(each('new_rows', 1))};
  elsif tg_op = 'DELETE' then
    ${changed(each('old_rows', -1))};
  elsif tg_op = 'UPDATE' then
    ${changed(sql`${each('new_rows', 1)} union all ${each('old_rows', -1)}`)};
  elsif current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception 'truncate needs the isolation level read committed: the kept totals of % have changes that this snapshot does not see', tg_table_name
      using errcode = 'feature_not_supported', hint = 'Use delete, or begin isolation level read committed.';
  else
    ${changed(sql`select scope, -delta as n from ${into} where "table" = ${name}`)};
  end if;
  if found and lastval() % ${sql.lit(foldEvery)} = 0 and current_setting('transaction_isolation') = 'read committed' then
    with gone as (
      delete from ${into} where id in (
        select id from ${into} where "table" = ${name} order by id limit ${sql.lit(foldAtMost)} for update skip locked)
      returning scope, delta)
    insert into ${into} ("table", scope, delta) select ${name}, scope, sum(delta) from gone group by scope having sum(delta) <> 0;
  end if;
  return null;
end
$totals$`
}
