import { type Octavo, type Sql, sql } from '@octavo/core'
import { ownerColumns } from '@octavo/core/internal'
import { param, type Registry } from '@octavo/core/plugin'
import { mediaType } from '../content-type/media-type.ts'

/** A step of a place: the content-type or component, and its attribute. */
export type Step = readonly [uid: string, attribute: string]

/** A file in an entry, as the tables have it: rights are not applied yet. */
export interface UsedRow {
  readonly file: number
  readonly uid: string
  readonly id: number
  /** From the entry's own attribute to the media attribute. */
  readonly path: readonly Step[]
}

/** Links of one file that are followed, so that a file that everything uses costs no more than others. */
const mostLinks = 200
/** Links that one request follows. */
const mostOfAll = 2_000

/**
 * Follows the links of files up to their entries, through all components in between, in one statement: it begins at the index of the link
 * table by file, and climbs by the primary keys of the components.
 *
 * @returns the entries of each file in no order, at most {@link mostLinks} a file and fewer where there are many files
 */
export async function usedRows(
  files: readonly number[],
  { store, registry }: Octavo,
): Promise<readonly UsedRow[]> {
  if (files.length === 0) return []
  const most = Math.max(2, Math.min(mostLinks, Math.floor(mostOfAll / files.length)))
  const rows = await store.run(
    sql`with recursive "up" as (${linksOf(files, most)} union all ${ownersOf(registry)}) select distinct "file", "uid", "id", "path"::text as "path" from "up" where "uid" = any(${param([...registry.contentTypes.keys()], 'text[]')})`,
  )
  return rows.map(({ file, uid, id, path }) => ({
    file: Number(file),
    uid: String(uid),
    id: Number(id),
    path: JSON.parse(String(path)) as readonly Step[], // made by the statement
  }))
}

const step = (row: Sql): Sql =>
  sql`jsonb_build_array(${row}.${sql.id(ownerColumns.type)}, ${row}.${sql.id(ownerColumns.field)})`

const owner = (row: Sql): Sql =>
  sql`${row}.${sql.id(ownerColumns.type)} as "uid", ${row}.${sql.id(ownerColumns.id)} as "id"`

function linksOf(files: readonly number[], most: number): Sql {
  const [link, file] = [sql`"l"`, sql`"l".${sql.id(mediaType.column)}`]
  return sql`select ${file} as "file", ${owner(link)}, jsonb_build_array(${step(link)}) as "path" from unnest(${param(files, 'int4[]')}) as "f" ("id") cross join lateral (select * from ${sql.id(mediaType.table)} as "l" where ${file} = "f"."id" limit ${sql.lit(most)}) as "l"`
}

/** The owners of the components that are reached so far. Each branch is asked for the rows of its own component only. */
function ownersOf(registry: Registry): Sql {
  const branches = [...registry.components.values()].map(
    ({ uid, table }) =>
      sql`select ${sql.id(ownerColumns.type)}, ${sql.id(ownerColumns.id)}, ${sql.id(ownerColumns.field)} from ${sql.id(table)} as "c" where "up"."uid" = ${sql.lit(uid)} and "c"."id" = "up"."id"`,
  )
  const none = sql`select null::text as ${sql.id(ownerColumns.type)}, null::int4 as ${sql.id(ownerColumns.id)}, null::text as ${sql.id(ownerColumns.field)} where false`
  const [part, all] = [sql`"p"`, branches.length === 0 ? none : sql.join(branches, sql` union all `)]
  return sql`select "up"."file", ${owner(part)}, jsonb_build_array(${step(part)}) || "up"."path" from "up" cross join lateral (${all}) as "p"`
}
