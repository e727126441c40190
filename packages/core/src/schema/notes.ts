import { randomBytes } from 'node:crypto'
import type { Queryable, Transaction } from '@octavo/database'
import { type Bindable, param, type Sql, sql } from '@octavo/database'
import { hasRelation, ownSchema } from './own-relation.ts'

/** The table of core's own state: the schema fingerprint, the created tables, completed migrations. */
export const notesTable = 'octavo_schema'

const notes = sql.id(notesTable)

/** Creates the table of notes. */
export const makeNotes = async (tx: Queryable): Promise<void> =>
  void (await tx.run(sql`create table if not exists ${notes} (key text primary key, value text not null)`))

/** A sentence before the first tables are made, when another schema of the search path has tables of Octavo already. */
export async function notesElsewhere(db: Queryable): Promise<readonly string[]> {
  const own = await ownSchema(db)
  if (await hasRelation(db, notesTable)) return []
  const [row] = await db.run(
    sql`select relnamespace::regnamespace::text as "other" from pg_class where oid = to_regclass(${text(notesTable)})`,
  )
  return row
    ? [
        `The schema "${own}" gets tables of its own, and "${row.other}", which comes after it in the search_path, has tables of Octavo already. To go on with those, put ${row.other} first.`,
      ]
    : []
}

/** `undefined` when the note or the table of notes does not exist. */
export async function readNote(db: Queryable, key: string): Promise<string | undefined> {
  if (!(await hasRelation(db, notesTable))) return undefined
  const [row] = await db.run(sql`select value from ${notes} where key = ${text(key)}`)
  return row?.value ?? undefined
}

/** The notes whose key begins with `prefix`, by key; none when there is no table of notes yet. */
export async function notesWith(db: Queryable, prefix: string): Promise<ReadonlyMap<string, string>> {
  if (!(await hasRelation(db, notesTable))) return new Map()
  const rows = await db.run(
    sql`select key, value from ${notes} where starts_with(key, ${text(prefix)}) order by key`,
  )
  return new Map(rows.map(({ key, value }) => [key ?? '', value ?? '']))
}

/** The subset of the keys that have a note. */
export async function notedAmong(db: Queryable, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.run(sql`select key from ${notes} where key = any(${param(keys, 'text[]')})`)
  return new Set(rows.map(({ key }) => key ?? ''))
}

export const writeNote = async (tx: Queryable, key: string, value: string): Promise<void> =>
  void (await tx.run(
    sql`insert into ${notes} values (${text(key)}, ${text(value)}) on conflict (key) do update set value = excluded.value`,
  ))

/** Moves a note to another key, in place of the note there. */
export const moveNote = (from: string, to: string): readonly Sql[] => [
  sql`delete from ${notes} where key = ${sql.lit(to)} and exists (select 1 from ${notes} where key = ${sql.lit(from)})`,
  sql`update ${notes} set key = ${sql.lit(to)} where key = ${sql.lit(from)}`,
]

/** A statement without parameters. */
export const noteRemoval = (key: string): Sql => sql`delete from ${notes} where key = ${sql.lit(key)}`

export const removeNote = async (tx: Queryable, key: string): Promise<void> =>
  void (await tx.run(sql`delete from ${notes} where key = ${text(key)}`))

/** Records work as done in this transaction. @returns whether it was done before, by any process. */
export async function doneBefore(tx: Transaction, key: string): Promise<boolean> {
  const noted = await tx.run(
    sql`insert into ${notes} values (${text(key)}, 'done') on conflict do nothing returning key`,
  )
  return noted.length === 0
}

/**
 * The secret that signs cursors: created once per database and stored in it, so that all processes accept each other's
 * cursors. The tables must exist.
 */
export async function cursorSecret(db: Queryable): Promise<string> {
  const known = await readNote(db, 'cursor-secret')
  if (known !== undefined) return known
  const secret = randomBytes(32).toString('base64url')
  await db.run(sql`insert into ${notes} values ('cursor-secret', ${text(secret)}) on conflict do nothing`)
  return (await readNote(db, 'cursor-secret')) ?? secret
}

const text = (value: Bindable) => param(value, 'text')
