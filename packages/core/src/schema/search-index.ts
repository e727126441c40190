import type { Transaction } from '@octavo/database'
import { join, type Sql, sql } from '@octavo/database'
import { wordsColumn } from '../content-type/full-text.ts'
import { existingColumns } from './hidden-data.ts'
import { notesWith, removeNote, writeNote } from './notes.ts'
import { shortened } from './object-names.ts'
import type { Table } from './tables.ts'

/** One of the two ways to search a table, in the database: its note, and the statements that make and drop it. */
interface SearchIndex {
  /** The prefix of notes. */
  readonly prefix: string
  /** The content of the note of a table that has it; `undefined` for a table without it. */
  readonly note: (table: Table) => string | undefined
  /** Whether a table with the note may lack it: it was dropped by hand. */
  readonly isLost: (columns: ReadonlySet<string> | undefined) => boolean
  readonly make: (table: Table) => readonly Sql[]
  readonly drop: (table: Table) => readonly Sql[]
}

/** Serves `lower(column) like '%…%'` of any of its columns, alone or joined by `or`, and the text of the id. */
const trigrams: SearchIndex = {
  prefix: 'search:',
  note: ({ search }) => search?.join(),
  isLost: () => false,
  make: ({ name, search = [] }) => {
    const terms = [
      sql`lower(id::text) gin_trgm_ops`,
      ...search.map((column) => sql`lower(${sql.id(column)}) gin_trgm_ops`),
    ]
    return [
      sql`create extension if not exists pg_trgm`,
      sql`create index ${trigramIndex(name)} on ${sql.id(name)} using gin (${join(terms, ', ')})`,
    ]
  },
  drop: ({ name }) => [sql`drop index if exists ${trigramIndex(name)}`],
}

/** A column with the words of the row, which PostgreSQL computes at each write, and its index. */
const words: SearchIndex = {
  prefix: 'words:',
  note: (table) => table.words,
  isLost: (columns) => columns?.has(wordsColumn) === false,
  make: ({ name, words = '' }) => [
    // Its expression is made from checked definitions.
    sql`alter table ${sql.id(name)} add column ${sql.id(wordsColumn)} tsvector generated always as (${sql.raw(words)}) stored`,
    sql`create index ${sql.id(shortened(`${name}_search_words`))} on ${sql.id(name)} using gin (${sql.id(wordsColumn)})`,
  ],
  // With its index. The column has no data of its own.
  drop: ({ name }) => [sql`alter table ${sql.id(name)} drop column if exists ${sql.id(wordsColumn)}`],
}

const trigramIndex = (table: string): Sql => sql.id(shortened(`${table}_search_trigrams`))

/** The statements that make the indexes for searches that tables declare, and drop those that are declared no more. */
export async function searchStatements(tx: Transaction, tables: readonly Table[]): Promise<readonly Sql[]> {
  const statements: Sql[] = []
  const existing = await existingColumns(
    tx,
    tables.map(({ name }) => name),
  )
  for (const { prefix, note, isLost, make, drop } of [trigrams, words]) {
    const noted = await notesWith(tx, prefix)
    for (const table of tables) {
      const now = note(table)
      if (
        noted.get(`${prefix}${table.name}`) === now &&
        (now === undefined || !isLost(existing.get(table.name)))
      )
        continue
      statements.push(...drop(table), ...(now === undefined ? [] : make(table)))
    }
  }
  return statements
}

/** Notes the searched columns, after {@link searchStatements} ran. */
export async function noteSearch(tx: Transaction, tables: readonly Table[]): Promise<void> {
  for (const { prefix, note } of [trigrams, words])
    for (const table of tables) {
      const now = note(table)
      if (now === undefined) await removeNote(tx, `${prefix}${table.name}`)
      else await writeNote(tx, `${prefix}${table.name}`, now)
    }
}
