/**
 * Fills the tables of the benchmark with the rows of a seeded generator, which are the same in every run. Keys and indexes are made
 * after the rows, and two connections work at a time.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createOctavo } from '@octavo/core'
import { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { components, contentTypes, typesWithoutTotals } from './dataset.ts'

/** A word in the summaries of ten articles, at any size. */
export const rareWord = 'zeppelin'

type Value = string | number | boolean | null
interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** {@link rows} is called with the numbers from 1 to this. */
  readonly count: number
  readonly rows: (i: number) => readonly (readonly Value[])[]
}

/** A statement or COPY, on any of the connections. */
type Task = (client: Client) => Promise<unknown>

/** Makes the tables in an empty database and fills them. */
export async function fill(url: string, articles: number): Promise<void> {
  const start = async (types: typeof contentTypes): Promise<void> => {
    const octavo = await createOctavo({ contentTypes: types, components, database: url })
    await octavo.close()
  }
  await start(typesWithoutTotals)
  const [client, other] = [await open(url), await open(url)]
  try {
    const both = (tasks: readonly Task[]): Promise<void> => runAll(tasks, [client, other])
    const tables = tablesOf(articles)
    const names = tables.map(({ name }) => name)
    const { keys, foreignKeys, indexes } = await dropKeys(client, names)
    await both(tables.map((table) => (on) => copy(on, table)))
    for (const statements of [keys, indexes, foreignKeys]) {
      // Two statements that lock one table would wait for each other.
      const byTable = Map.groupBy(statements, ({ table }) => table)
      await both(
        [...byTable.values()].map((own) => async (on) => {
          for (const { make } of own) await on.query(make)
        }),
      )
    }
    await client.query(
      names
        .filter((name) => name !== links)
        .map((name) => `select setval(pg_get_serial_sequence('"${name}"', 'id'), max(id)) from "${name}"`)
        .join(';'),
    )
    await both(names.map((name) => (on) => on.query(`vacuum analyze "${name}"`)))
  } finally {
    await client.end()
    await other.end()
  }
  await start(contentTypes)
}

async function open(url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  await client.query('set synchronous_commit = off; set maintenance_work_mem = 512000')
  return client
}

/** Each client takes the next task when it is free. */
async function runAll(tasks: readonly Task[], clients: readonly Client[]): Promise<void> {
  const left = [...tasks]
  await Promise.all(
    clients.map(async (client) => {
      for (let task = left.shift(); task; task = left.shift()) await task(client)
    }),
  )
}

interface Dropped {
  readonly table: string
  /** The statement that makes it again. */
  readonly make: string
}

/** Drops the keys and indexes of tables. */
async function dropKeys(
  client: Client,
  tables: readonly string[],
): Promise<Record<'keys' | 'foreignKeys' | 'indexes', readonly Dropped[]>> {
  const constraints = await client.query(
    `select conrelid::regclass::text as table, contype = 'f' as foreign,
       format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint where conrelid = any($1::regclass[]) and contype in ('p', 'u', 'f') order by contype = 'f' desc`,
    [tables],
  )
  const indexes = await client.query(
    `select indrelid::regclass::text as table, format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
     from pg_index where indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { drop } of [...constraints.rows, ...indexes.rows]) await client.query(drop)
  return {
    keys: constraints.rows.filter(({ foreign }) => !foreign),
    foreignKeys: constraints.rows.filter(({ foreign }) => foreign),
    indexes: indexes.rows,
  }
}

/** Lines are sent in parts of 64 KiB. */
async function copy(client: Client, { name, columns, count, rows }: Table): Promise<void> {
  function* parts(): Generator<string> {
    let part = ''
    for (let i = 1; i <= count; i++) {
      for (const row of rows(i)) part += `${row.map(field).join('\t')}\n`
      if (part.length > 65_536) {
        yield part
        part = ''
      }
    }
    yield part
  }
  await pipeline(
    Readable.from(parts()),
    client.query(from(`copy "${name}" (${columns.map((c) => `"${c}"`).join(', ')}) from stdin`)),
  )
}

const field = (value: Value): string => (value === null ? '\\N' : String(value))

const uid = 'api::article.article'
const now = '2026-01-01T00:00:00.000Z'
const links = 'articles_categories_links'

const timed = ['created_at', 'updated_at']
const articleColumns = [
  'id',
  'title',
  'slug',
  'body',
  'summary',
  'status',
  'rating',
  'views',
  'featured',
  'published_on',
  'author_id',
  'author_position',
  ...timed,
]

/** The largest table first: the other connection does the smaller ones meanwhile. */
function tablesOf(articles: number): readonly Table[] {
  const authors = Math.max(10, Math.round(articles / 50))
  const categories = Math.min(2_000, Math.max(20, Math.round(articles / 100)))
  const rare = Math.ceil(articles / 10)
  const times = [now, now]
  return [
    {
      name: 'articles',
      columns: articleColumns,
      count: articles,
      rows: (i) => [
        [
          i,
          `${word(i)} ${word(i * 5)} ${word(i * 11)} ${i}`,
          `article-${i}`,
          sentence(i, 60),
          sentence(i * 3, 12) + (i % rare === 0 ? ` ${rareWord}` : ''),
          (['news', 'review', 'opinion'] as const)[hash(i) % 3] ?? 'news',
          (hash(i * 13) % 1000) / 100,
          hash(i * 17) % 1_000_000,
          hash(i) % 2 === 0,
          `20${String(10 + (hash(i) % 15))}-0${1 + (hash(i * 2) % 9)}-1${hash(i * 3) % 10}`,
          1 + (hash(i * 19) % authors),
          i,
          ...times,
        ],
      ],
    },
    {
      name: 'authors',
      columns: ['id', 'name', 'email', ...timed],
      count: authors,
      rows: (i) => [[i, `${word(i)} ${word(i * 7)} ${i}`, `author${i}@example.org`, ...times]],
    },
    {
      name: 'categories',
      columns: ['id', 'name', 'parent_id', 'parent_position', ...timed],
      count: categories,
      rows: (i) => [[i, `${word(i * 3)} ${i}`, i > 10 ? Math.ceil(i / 10) : null, i, ...times]],
    },
    {
      name: links,
      columns: ['owner_id', 'target_id', 'position', 'inverse_position'],
      count: articles,
      rows: (i) =>
        [
          ...new Set([
            1 + (hash(i) % categories),
            1 + (hash(i * 23) % categories),
            1 + (hash(i * 29) % categories),
          ]),
        ].map((target, n) => [i, target, n + 1, i]),
    },
    ...tablesOfParts(articles),
  ]
}

/** The components of the articles: links, search engines, and the two blocks of the zone. */
function tablesOfParts(articles: number): readonly Table[] {
  const owned = ['id', 'owner_type', 'owner_id', 'field', 'position']
  return [
    {
      name: 'components_shared_link',
      columns: [...owned, 'label', 'url'],
      count: articles,
      rows: (i) =>
        [1, 2].map((n) => [i * 2 + n - 2, uid, i, 'links', n, word(i * n), `https://example.org/${i}/${n}`]),
    },
    {
      name: 'components_shared_seo',
      columns: [...owned, 'meta_title', 'meta_description'],
      count: articles,
      rows: (i) => [[i, uid, i, 'seo', 1, `${word(i)} ${i}`, sentence(i * 31, 10)]],
    },
    {
      name: 'components_blocks_hero',
      columns: [...owned, 'heading'],
      count: articles,
      rows: (i) => [[i, uid, i, 'blocks', 1, `${word(i)} ${word(i * 37)}`]],
    },
    {
      name: 'components_blocks_quote',
      columns: [...owned, 'text'],
      count: articles,
      rows: (i) => [[i, uid, i, 'blocks', 2, sentence(i * 41, 8)]],
    },
  ]
}

const words =
  'river lantern harbour copper market orchard signal winter engine meadow salt theatre mirror bridge garden letter atlas ember quiet paper'.split(
    ' ',
  )
const word = (n: number): string => words[hash(n) % words.length] ?? 'river'

function sentence(seed: number, length: number): string {
  let text = word(seed)
  for (let i = 1; i < length; i++) text += ` ${word(seed + i * 101)}`
  return text
}

/** A pseudo-random number that is the same in every run. */
function hash(n: number): number {
  let h = (n * 2_654_435_761) >>> 0
  h ^= h >>> 15
  h = Math.imul(h, 2_246_822_519) >>> 0
  return (h ^ (h >>> 13)) >>> 0
}
