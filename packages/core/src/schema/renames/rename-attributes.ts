/** The statements that give renamed attributes their values, and what refuses them. */
import type { Queryable, Transaction } from '@octavo/database'
import { join, type Sql, sql, toStatement } from '@octavo/database'
import { moveNote } from '../notes.ts'
import { hasRelation, ownRelation } from '../own-relation.ts'
import type { SchemaRefusal } from '../schema-error.ts'
import type { FieldRename, Named, Rename, TakenRename } from './declared-renames.ts'

/**
 * The statements of pending renames. Does not throw; `refusals` has the renames with values under both names, and those of rows that other
 * processes read by the old name.
 *
 * @param hasOthers Whether processes with other definitions run.
 */
export async function renameStatements(
  tx: Transaction,
  renames: readonly Rename[],
  hasOthers = false,
): Promise<PendingRenames> {
  const statements: Sql[] = []
  const refusals: SchemaRefusal[] = []
  const atOnce: Named[] = []
  const conflicts = new Set<string>()
  for (const rename of renames) {
    if (rename.kind === 'field') {
      if (!(await hasRows(tx, rename, rename.from))) continue
      const same = renames.filter((other): other is FieldRename => isSameField(rename, other))
      if (hasOthers) refusals.push(refusalOfField(rename))
      else if (await anyHasRows(tx, same)) {
        // One for all tables of the attribute.
        if (!conflicts.has(rename.owner + rename.to)) refusals.push(refusalOfRows(rename, same))
        conflicts.add(rename.owner + rename.to)
      } else
        statements.push(
          sql`update ${sql.id(rename.table)} set field = ${sql.lit(rename.to)} where owner_type = ${sql.lit(rename.owner)} and field = ${sql.lit(rename.from)}`,
        )
      continue
    }
    if (!(await exists(tx, rename, rename.from))) continue
    if (await exists(tx, rename, rename.to)) {
      if (await hasValues(tx, rename, rename.to)) {
        // Values under the new name only: the rename is done, and the old name belongs to another attribute.
        if (await hasValues(tx, rename, rename.from)) refusals.push(refusalOf(rename))
        continue
      }
      statements.push(drop(rename))
    }
    statements.push(
      rename.kind === 'table'
        ? sql`alter table ${sql.id(rename.from)} rename to ${sql.id(rename.to)}`
        : sql`alter table ${sql.id(rename.table)} rename column ${sql.id(rename.from)} to ${sql.id(rename.to)}`,
    )
    if (rename.kind === 'table') statements.push(...moveNote(`table:${rename.from}`, `table:${rename.to}`))
    atOnce.push(rename)
  }
  return { statements, refusals, atOnce }
}

export interface PendingRenames {
  readonly statements: readonly Sql[]
  readonly refusals: readonly SchemaRefusal[]
  /** The renames that the statements make. */
  readonly atOnce: readonly Named[]
}

/**
 * The refusals of new attributes that are renamed from another attribute, which has the values: the start would leave them there, and make the
 * new attribute empty. Once both names exist, the values have been told apart.
 */
export async function refusalsOfTaken(
  tx: Queryable,
  taken: readonly TakenRename[],
): Promise<readonly SchemaRefusal[]> {
  const refusals: SchemaRefusal[] = []
  for (const one of taken) {
    const { from, to } = one.rename
    if (await exists(tx, one.rename, to)) continue
    if ((await exists(tx, one.rename, from)) && (await hasValues(tx, one.rename, from)))
      refusals.push(refusalOfTaken(one))
  }
  return refusals
}

/** A refusal that was found after renames, with the names that the database has once these are undone. */
export function withFormerNames(refusal: SchemaRefusal, renames: readonly Named[]): SchemaRefusal {
  let { table, column, sql } = refusal
  for (const { from, to, ...rename } of renames) {
    if (rename.kind === 'column' && rename.table !== table) continue
    if (rename.kind === 'table' && table === to) table = from
    if (rename.kind === 'column')
      column = column
        ?.split(', ')
        .map((name) => (name === to ? from : name))
        .join(', ')
    sql = sql.replaceAll(`"${to}"`, `"${from}"`)
  }
  return { ...refusal, table, sql, ...(column !== undefined && { column }) }
}

/** Whether a rename is of the same attribute: a dynamic zone has rows in several tables. */
const isSameField = ({ owner, to }: FieldRename, other: Rename): boolean =>
  other.kind === 'field' && other.owner === owner && other.to === to

/** Whether one of the tables has rows of the new name. */
async function anyHasRows(tx: Queryable, renames: readonly FieldRename[]): Promise<boolean> {
  for (const rename of renames) if (await hasRows(tx, rename, rename.to)) return true
  return false
}

/** Drops the empty table or column that has the new name. */
const drop = (rename: Named): Sql =>
  rename.kind === 'table'
    ? sql`drop table ${sql.id(rename.to)}`
    : sql`alter table ${sql.id(rename.table)} drop column ${sql.id(rename.to)}`

/** Whether the database has a name of a rename. */
export async function exists(tx: Queryable, rename: Named, name: string): Promise<boolean> {
  if (rename.kind === 'table') return hasRelation(tx, name)
  const [row] = await tx.run(
    sql`select exists (select 1 from pg_attribute where attrelid = ${ownRelation(rename.table)} and attname = ${sql.val(name)}::text and not attisdropped) as "found"`,
  )
  return isTrue(row?.found)
}

/** Whether a column or a table has values. */
export async function hasValues(tx: Queryable, rename: Named, name: string): Promise<boolean> {
  const [row] = await tx.run(
    rename.kind === 'table'
      ? sql`select exists (select 1 from ${sql.id(name)}) as "found"`
      : sql`select exists (select 1 from ${sql.id(rename.table)} where ${sql.id(name)} is not null) as "found"`,
  )
  return isTrue(row?.found)
}

/** Whether an attribute of the owner has rows in the table. */
export async function hasRows(
  tx: Queryable,
  { table, owner }: Pick<FieldRename, 'table' | 'owner'>,
  field: string,
): Promise<boolean> {
  if (!(await hasRelation(tx, table))) return false
  const [row] = await tx.run(
    sql`select exists (select 1 from ${sql.id(table)} where owner_type = ${sql.val(owner)}::text and field = ${sql.val(field)}::text) as "found"`,
  )
  return isTrue(row?.found)
}

/** A boolean in PostgreSQL's text. */
const isTrue = (text: string | null | undefined): boolean => text === 't' || text === 'true'

/** The rows of components and media have one name, by which processes with the former definitions read them. */
const refusalOfField = ({ table, owner, from, to }: FieldRename): SchemaRefusal => ({
  table,
  reason: `renamedFrom of ${owner} moves its rows from "${from}" to "${to}", and processes with the former definitions still run. Stop them first; one that was killed counts for half a minute.`,
  sql: 'select * from octavo_processes;',
})

/** The SQL is one statement, so that each part of it sees the rows as they are before. */
function refusalOfRows({ table, owner, from, to }: FieldRename, same: readonly FieldRename[]): SchemaRefusal {
  const rowsOf = (field: string): Sql => sql`owner_type = ${sql.lit(owner)} and field = ${sql.lit(field)}`
  const taken = same.map(({ table }) => sql`select owner_id from ${sql.id(table)} where ${rowsOf(to)}`)
  const isTaken = sql`owner_id in (select owner_id from taken)`
  const changes = same.flatMap(({ table }, i) => [
    sql`${sql.id(`moved_${i}`)} as (update ${sql.id(table)} set field = ${sql.lit(to)} where ${rowsOf(from)} and not ${isTaken})`,
    sql`${sql.id(`deleted_${i}`)} as (delete from ${sql.id(table)} where ${rowsOf(from)} and ${isTaken})`,
  ])
  const merge = sql`with taken as (${join(taken, ' union ')}), ${join(changes, ', ')} select 'merged'`
  return {
    table,
    reason: `renamedFrom of ${owner} names "${from}", and there are rows of both "${from}" and "${to}".`,
    sql: `-- to use the older rows of entries that have none of the new name, and delete the others\n${toStatement(merge).text};`,
  }
}

function refusalOfTaken({ rename, uid, name, former }: TakenRename): SchemaRefusal {
  const reason = `${uid}: attributes.${name}.renamedFrom: "${former}" is an attribute as well, and the values would stay there. Start once without the attribute "${former}", so that "${name}" gets them, or remove renamedFrom.`
  return rename.kind === 'table'
    ? {
        table: rename.from,
        reason,
        sql: `-- the number of links of "${former}"\nselect count(*) from "${rename.from}";`,
      }
    : {
        table: rename.table,
        column: rename.to,
        reason,
        sql: `-- in place of the start without the attribute "${former}"\nalter table "${rename.table}" rename column "${rename.from}" to "${rename.to}";`,
      }
}

function refusalOf(rename: Named): SchemaRefusal {
  const reason = `renamedFrom names "${rename.from}", and there are values under both names.`
  if (rename.kind === 'table')
    return {
      table: rename.from,
      reason,
      sql: `-- first copy the older links to the new table where it has none, then\ndrop table "${rename.from}";`,
    }
  const { table, from, to } = rename
  return {
    table,
    column: to,
    reason,
    sql: `-- to use the older values where there are none of the new name\nupdate "${table}" set "${to}" = coalesce("${to}", "${from}");\nalter table "${table}" drop column "${from}";`,
  }
}
