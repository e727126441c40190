import { join, type Sql, sql } from '../sql/sql.ts'
import type { Transaction } from '../store/store.ts'
import { notesWith, removeNote, writeNote } from './notes.ts'
import { shortened } from './object-names.ts'
import type { Table } from './tables.ts'

/**
 * The statements that make the trigram indexes of the tables that declare searched columns, and drop those that are
 * declared no more. An index serves `lower(column) like '%…%'` of any of its columns, alone or joined by `or`, and the
 * text of the id.
 */
export async function searchStatements(tx: Transaction, tables: readonly Table[]): Promise<readonly Sql[]> {
  const noted = await notesWith(tx, 'search:')
  return tables.flatMap((table): readonly Sql[] => {
    const note = noted.get(noteKey(table))
    const { search } = table
    if (note === (search && noteOf(search))) return []
    const index = sql.id(shortened(`${table.name}_search_trigrams`))
    const dropped = sql`drop index if exists ${index}`
    if (!search) return [dropped]
    const terms = [
      sql`lower(id::text) gin_trgm_ops`,
      ...search.map((name) => sql`lower(${sql.id(name)}) gin_trgm_ops`),
    ]
    return [
      sql`create extension if not exists pg_trgm`,
      dropped,
      sql`create index ${index} on ${sql.id(table.name)} using gin (${join(terms, ', ')})`,
    ]
  })
}

/** Notes the searched columns, after {@link searchStatements} ran. */
export async function noteSearch(tx: Transaction, tables: readonly Table[]): Promise<void> {
  for (const table of tables)
    if (table.search) await writeNote(tx, noteKey(table), noteOf(table.search))
    else await removeNote(tx, noteKey(table))
}

const noteKey = ({ name }: Table): string => `search:${name}`
const noteOf = (columns: readonly string[]): string => columns.join()
