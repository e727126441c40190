import { join, type Queryable, type Sql, sql, type Transaction, toStatement } from '@octavo/database'
import { wordsColumn } from '../../content-type/search/full-text.ts'
import { existingColumns } from '../existing-columns.ts'
import { noteRemoval, notesWith, removeNote, writeNote } from '../notes.ts'
import { quote } from '../quote.ts'
import { shortened } from '../tables/object-names.ts'
import type { Table } from '../tables/tables.ts'

/** The database side of a way to search a table, by trigrams or by words: its note, and the statements that make and drop it. */
interface SearchIndex {
  readonly kind: 'trigrams' | 'words'
  /** The prefix of notes. */
  readonly prefix: string
  /** The content of the note of a table that has it; `undefined` for a table without it. */
  readonly note: (table: Table) => string | undefined
  /** Whether a table with the note may lack it: it was dropped by hand. */
  readonly isLost: (columns: ReadonlySet<string> | undefined) => boolean
  /** The name of the index, and its definition after the name. */
  readonly indexName: (table: Table) => Sql
  readonly definition: (table: Table) => Sql
  /** The statements before that of the index, on a table without traffic. */
  readonly before: (table: Table) => readonly Sql[]
  /** The statements before that of the index beside the traffic, which take no time; those of a list are one transaction. */
  readonly beforeBeside: (table: Table) => readonly (readonly Sql[])[]
  readonly drop: (table: Table) => readonly Sql[]
}

/** Serves `lower(column) like '%…%'` of any of its columns, alone or joined by `or`, and the text of the id. */
const trigrams: SearchIndex = {
  kind: 'trigrams',
  prefix: 'search:',
  note: ({ search }) => search?.join(),
  isLost: () => false,
  indexName: ({ name }) => sql.id(shortened(`${name}_search_trigrams`)),
  definition: ({ name, search = [] }) => {
    const terms = [
      sql`lower(id::text) gin_trgm_ops`,
      ...search.map((column) => sql`lower(${sql.id(column)}) gin_trgm_ops`),
    ]
    return sql`on ${sql.id(name)} using gin (${join(terms, ', ')})`
  },
  before: () => [makeTrigrams],
  beforeBeside: ({ search }) => (search ? [[makeTrigrams]] : []),
  drop: (table) => [sql`drop index if exists ${trigrams.indexName(table)}`],
}

const makeTrigrams = sql`create extension if not exists pg_trgm`

/** A column with the words of the row, which PostgreSQL computes at each write, and its index. */
const words: SearchIndex = {
  kind: 'words',
  prefix: 'words:',
  note: (table) => table.words,
  isLost: (columns) => columns?.has(wordsColumn) === false,
  indexName: ({ name }) => sql.id(shortened(`${name}_search_words`)),
  definition: ({ name }) => sql`on ${sql.id(name)} using gin (${sql.id(wordsColumn)})`,
  before: ({ name, words = '' }) => [
    // Its expression is made from checked definitions.
    sql`alter table ${sql.id(name)} add column ${sql.id(wordsColumn)} tsvector generated always as (${sql.raw(words)}) stored`,
  ],
  // A generated column would have PostgreSQL write the whole table anew while nobody reads it.
  beforeBeside: (table) => {
    const { name, words: expression } = table
    const dropped = words.drop(table)
    if (expression === undefined) return [dropped]
    const row = sql`select ${sql.raw(expression)} from (select new.*) as "row"`
    return [
      [
        ...dropped,
        sql`alter table ${sql.id(name)} add column ${sql.id(wordsColumn)} tsvector`,
        sql`create function ${functionName(name)}() returns trigger language plpgsql as $octavo$ begin new.${sql.id(wordsColumn)} := (${row}); return new; end $octavo$`,
        sql`create trigger ${functionName(name)} before insert or update on ${sql.id(name)} for each row execute function ${functionName(name)}()`,
      ],
    ]
  },
  // With its index. The column has no data of its own.
  drop: ({ name }) => dropWords(name),
}

const dropWords = (table: string): readonly Sql[] => [
  sql`alter table ${sql.id(table)} drop column if exists ${sql.id(wordsColumn)}`,
  sql`drop function if exists ${functionName(table)}() cascade`,
]

const functionName = (table: string): Sql => sql.id(shortened(`octavo_${table}`, '_search_words'))

/**
 * The statements that drop the words of columns that are about to be renamed or dropped. A trigger that names a former column would refuse each
 * write until the index is made anew.
 */
export async function dropWordsOf(
  db: Queryable,
  columns: readonly { readonly table: string; readonly from: string }[],
): Promise<readonly Sql[]> {
  if (columns.length === 0) return []
  const noted = await notesWith(db, words.prefix)
  const isSearched = ({ table, from }: (typeof columns)[number]): boolean =>
    noted.get(`${words.prefix}${table}`)?.includes(quote(from)) === true
  const tables = new Set(columns.filter(isSearched).map(({ table }) => table))
  return [...tables].flatMap((name) => [...dropWords(name), noteRemoval(`${words.prefix}${name}`)])
}

/** A search of a table whose index differs from the definition. */
export interface DueSearch {
  readonly table: Table
  readonly kind: SearchIndex['kind']
  readonly before: readonly (readonly Sql[])[]
  /** Texts without parameters. Without a definition the index is dropped only. */
  readonly index: { readonly name: string; readonly definition: string | undefined }
  /** Whether the database has another search of the table, which statements of processes with other definitions use. */
  readonly replaces: boolean
  /** Notes that the table has none from here on. A process that is killed meanwhile leaves no note of what it has dropped. */
  readonly begin: (db: Queryable) => Promise<void>
  /** Notes that it is done. */
  readonly note: (db: Queryable) => Promise<void>
}

/** The searches of tables whose indexes differ from their definitions, both ways of each table. */
export async function dueSearches(db: Queryable, tables: readonly Table[]): Promise<readonly DueSearch[]> {
  const textOf = (statement: Sql): string => toStatement(statement).text
  const pairs = await differing(db, tables)
  return pairs.map(({ way, table, isNoted }) => ({
    table,
    kind: way.kind,
    before: way.beforeBeside(table),
    index: {
      name: textOf(way.indexName(table)),
      definition: way.note(table) === undefined ? undefined : textOf(way.definition(table)),
    },
    replaces: isNoted,
    begin: (on) => removeNote(on, `${way.prefix}${table.name}`),
    note: (on) => noteOne(on, way, table),
  }))
}

/** The statements that make the indexes for searches that tables declare, and drop those that are declared no more. */
export async function searchStatements(tx: Transaction, tables: readonly Table[]): Promise<readonly Sql[]> {
  const pairs = await differing(tx, tables)
  return pairs.flatMap(({ way, table }) => {
    if (way.note(table) === undefined) return way.drop(table)
    const make = sql`create index ${way.indexName(table)} ${way.definition(table)}`
    return [...way.drop(table), ...way.before(table), make]
  })
}

/** Notes the searched columns, after {@link searchStatements} ran. */
export async function noteSearch(tx: Transaction, tables: readonly Table[]): Promise<void> {
  for (const way of [trigrams, words]) for (const table of tables) await noteOne(tx, way, table)
}

async function noteOne(db: Queryable, { prefix, note }: SearchIndex, table: Table): Promise<void> {
  const now = note(table)
  if (now === undefined) await removeNote(db, `${prefix}${table.name}`)
  else await writeNote(db, `${prefix}${table.name}`, now)
}

interface Difference {
  readonly way: SearchIndex
  readonly table: Table
  /** Whether the table has this way, of another definition. */
  readonly isNoted: boolean
}

async function differing(db: Queryable, tables: readonly Table[]): Promise<readonly Difference[]> {
  const names = tables.map(({ name }) => name)
  const existing = await existingColumns(db, names)
  const found: Difference[] = []
  for (const way of [trigrams, words]) {
    const noted = await notesWith(db, way.prefix)
    for (const table of tables) {
      const now = way.note(table)
      const former = noted.get(`${way.prefix}${table.name}`)
      const isLost = former !== undefined && way.isLost(existing.get(table.name))
      if (former !== now || isLost) found.push({ way, table, isNoted: former !== undefined && !isLost })
    }
  }
  return found
}

/**
 * Milliseconds for a row with texts of some 300 characters, on a core with nothing else to do: of its part of the index, or of computing its
 * words. A busy machine takes several times as long.
 */
const timeOfRow = { trigrams: 0.25, words: 0.35 } as const

/**
 * The tables in use whose index is made after the start, beside the requests.
 * @param hasOthers Whether processes with other definitions run: their searches of an empty table use its column, too.
 */
export async function searchesBeside(
  db: Queryable,
  tables: readonly Table[],
  hasOthers: boolean,
): Promise<readonly DueSearch[]> {
  const existing = await existingColumns(
    db,
    tables.map(({ name }) => name),
  )
  const due = (await dueSearches(db, tables)).filter(({ table }) => existing.has(table.name))
  const used: DueSearch[] = []
  for (const one of due) {
    const rows = await db.run(sql`select 1 as "one" from ${sql.id(one.table.name)} limit 1`)
    if (rows.length > 0 || (hasOthers && one.replaces)) used.push(one)
  }
  return used
}

/** A sentence that says how long an index will take. */
export async function timeOf(db: Queryable, { table, kind, index }: DueSearch): Promise<readonly string[]> {
  if (index.definition === undefined) return []
  const [row] = await db.run(sql`select count(*)::text as "rows" from ${sql.id(table.name)}`)
  const rows = Number(row?.rows)
  const seconds = Math.max(1, Math.round((rows * timeOfRow[kind]) / 1_000))
  return [
    `${table.label}: the index of its search is made after the start, beside the requests, which takes about ${seconds} s for ${rows} entries on a machine that is not busy; searches read the table until then.`,
  ]
}
