/**
 * Renames while processes with the former definitions run. The new name is added beside the old one (expand), and both have the same
 * values, whichever process writes; when the last process with other definitions has ended, the old name goes (contract).
 */
import { type Queryable, type Sql, type Store, sql, toStatement } from '@octavo/database'
import { moveNote, noteRemoval, notesWith, removeNote, writeNote } from '../notes.ts'
import { ownRelation } from '../own-relation.ts'
import type { Processes } from '../processes.ts'
import { SchemaError } from '../schema-error.ts'
import { shortened } from '../tables/object-names.ts'
import type { Table } from '../tables/tables.ts'
import type { Named } from './declared-renames.ts'
import { exists } from './rename-attributes.ts'

/** Notes of renames whose old name is still there: `renaming:<table>.<new column>` or `renaming:<new table>`; the value is the old name. */
const prefix = 'renaming:'

/** Rows that one statement copies. */
const batch = 5_000

export const keyOf = (rename: Named): string =>
  rename.kind === 'table' ? `${prefix}${rename.to}` : `${prefix}${rename.table}.${rename.to}`

/** The renames whose old names are still there, by their note; the value is the old name. */
export const expandedRenames = (db: Queryable): Promise<ReadonlyMap<string, string>> => notesWith(db, prefix)

/** The renames that were begun and have not ended, as they were declared at that time. */
export const begunRenames = async (db: Queryable): Promise<readonly Named[]> =>
  [...(await expandedRenames(db))].map(([key, from]) => {
    const [table = '', to] = key.slice(prefix.length).split('.')
    return to === undefined ? { kind: 'table', from, to: table } : { kind: 'column', table, from, to }
  })

/** Whether a column has the values of another one that a rename added or replaces. */
export const isTwin = (table: string, column: string, expanded: ReadonlyMap<string, string>): boolean =>
  expanded.has(`${prefix}${table}.${column}`) ||
  [...expanded].some(([key, from]) => from === column && key.startsWith(`${prefix}${table}.`))

/** Whether a table has the rows of another name. */
export const isTwinTable = (table: string, expanded: ReadonlyMap<string, string>): boolean =>
  expanded.has(`${prefix}${table}`) ||
  [...expanded].some(([key, from]) => from === table && !key.slice(prefix.length).includes('.'))

/** Adds the new name of a rename beside the old one. @returns whether there are rows to copy */
export async function expand(tx: Queryable, rename: Named, tables: readonly Table[]): Promise<boolean> {
  if (!(await exists(tx, rename, rename.from))) return false
  await writeNote(tx, keyOf(rename), rename.from)
  if (rename.kind === 'table') {
    if (await exists(tx, rename, rename.to)) await tx.run(sql`drop table ${sql.id(rename.to)}`)
    await tx.run(sql`alter table ${sql.id(rename.from)} rename to ${sql.id(rename.to)}`)
    // It passes inserts, updates and deletes on.
    await tx.run(sql`create view ${sql.id(rename.from)} as select * from ${sql.id(rename.to)}`)
    for (const statement of moveNote(`table:${rename.from}`, `table:${rename.to}`)) await tx.run(statement)
    return false
  }
  const type = tables
    .find(({ name }) => name === rename.table)
    ?.columns.find(({ name }) => name === rename.to)?.type
  if (type === undefined) throw new Error(`The table "${rename.table}" declares no column "${rename.to}"`)
  const [table, to] = [sql.id(rename.table), sql.id(rename.to)]
  if (!(await exists(tx, rename, rename.to)))
    await tx.run(sql`alter table ${table} add column ${to} ${sql.raw(type)}`)
  await refuseOtherType(tx, rename)
  // The text of a function takes no parameters.
  await tx.run(sql.raw(toStatement(functionOf(rename)).text))
  await tx.run(
    sql`create or replace trigger ${triggerOf(rename)} before insert or update on ${table} for each row execute function ${nameOf(rename)}()`,
  )
  return true
}

type ColumnRename = Extract<Named, { kind: 'column' }>

/** The copy of a value would have another one, or none, and so would each write of the former processes. @throws SchemaError */
async function refuseOtherType(tx: Queryable, { table, from, to }: ColumnRename): Promise<void> {
  const [row] = await tx.run(
    sql`select string_agg(format_type(atttypid, atttypmod), '|' order by attname = ${sql.val(to)}::text) as "types" from pg_attribute where attrelid = ${ownRelation(table)} and attname in (${sql.val(from)}::text, ${sql.val(to)}::text)`,
  )
  const [now = '', wanted = ''] = row?.types?.split('|') ?? []
  if (now === wanted) return
  const statement = sql`alter table ${sql.id(table)} alter column ${sql.id(from)} type ${sql.raw(wanted)} using (${sql.id(from)}::${sql.raw(wanted)})`
  const reason = `it is ${now}, and "${to}", to which renamedFrom renames it, needs ${wanted}; the values would have to be rewritten.`
  throw new SchemaError([{ table, column: from, reason, sql: `${toStatement(statement).text};` }])
}

/** With a dot, which no name has: the tables "a" and "a_b" may have columns "b_c" and "c". */
const nameOf = ({ table, to }: ColumnRename): Sql => sql.id(shortened(`octavo_${table}.${to}`, '_renaming'))

/** Triggers run in the order of their names. This one begins with `_`, so that it runs before the one that computes the words of a search. */
const triggerOf = ({ table, to }: ColumnRename): Sql =>
  sql.id(shortened(`_octavo_${table}_${to}`, '_renaming'))

/** Gives both columns of a row the value that is written to one of them. As texts, since JSON values have no equality. */
function functionOf(rename: ColumnRename): Sql {
  const [from, to] = [sql.id(rename.from), sql.id(rename.to)]
  return sql`create or replace function ${nameOf(rename)}() returns trigger language plpgsql as $octavo$ begin if tg_op = 'INSERT' then if new.${to} is null then new.${to} := new.${from}; else new.${from} := new.${to}; end if; elsif new.${to}::text is distinct from old.${to}::text then new.${from} := new.${to}; else new.${to} := new.${from}; end if; return new; end $octavo$`
}

/** Copies the values to the new column, in statements of some thousand rows each, so that no write waits for long. */
export async function copyValues(
  store: Store,
  { table, from, to }: ColumnRename,
  processes: Processes,
): Promise<void> {
  const name = sql.id(table)
  for (let last = 0; ; ) {
    const [part] = await store.run(
      sql`with part as (select id from ${name} where id > ${sql.val(last)}::int order by id limit ${sql.val(batch)}::int), copied as (update ${name} as "t" set ${sql.id(to)} = "t".${sql.id(from)} from part where "t".id = part.id and "t".${sql.id(to)} is null and "t".${sql.id(from)} is not null) select max(id)::text as "last" from part`,
    )
    if (part?.last == null) return
    last = Number(part.last)
    // A process that copies for long still runs, and the others must not take its new name away.
    await processes.announce()
  }
}

/** The statements that remove the old name of an expanded rename. */
export function contractStatements(rename: Named): readonly Sql[] {
  if (rename.kind === 'table') return [sql`drop view ${sql.id(rename.from)}`]
  const [table, from, to] = [sql.id(rename.table), sql.id(rename.from), sql.id(rename.to)]
  return [
    // Rows that a start which was broken off has not copied.
    sql`update ${table} set ${to} = ${from} where ${to} is null and ${from} is not null`,
    // With its trigger.
    sql`drop function if exists ${nameOf(rename)}() cascade`,
    sql`alter table ${table} drop column ${from}`,
  ]
}

/** The statements that remove the new name of an expanded rename. The old one has all values, since each write gave it those of the new one. */
export function undoStatements(rename: Named): readonly Sql[] {
  if (rename.kind === 'table')
    return [
      ...contractStatements(rename),
      sql`alter table ${sql.id(rename.to)} rename to ${sql.id(rename.from)}`,
      ...moveNote(`table:${rename.to}`, `table:${rename.from}`),
      noteRemoval(keyOf(rename)),
    ]
  return [
    sql`drop function if exists ${nameOf(rename)}() cascade`,
    sql`alter table ${sql.id(rename.table)} drop column if exists ${sql.id(rename.to)}`,
    noteRemoval(keyOf(rename)),
  ]
}

export const noteContracted = (tx: Queryable, rename: Named): Promise<void> => removeNote(tx, keyOf(rename))
