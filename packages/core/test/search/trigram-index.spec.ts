/** `options.search`: a trigram index for `_q` and for filters on parts of texts, with the answers of a search without. */
import { createOctavo, defineContentType, type Octavo } from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const attributes = {
  title: { type: 'string' },
  body: { type: 'text' },
  n: { type: 'integer', searchable: false },
} as const
const plain = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'plain', pluralName: 'plains' },
  attributes,
})
const indexed = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'indexed', pluralName: 'indexeds' },
  options: { search: { attributes: ['title', 'body'] } },
  attributes,
})

let database: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  database = await createTestDatabase()
  // One connection, whose statistics one statement can write.
  octavo = await createOctavo({
    contentTypes: [plain, indexed],
    database: database.url,
    connections: 1,
    // One statement writes all rows of a test, however long that takes.
    limits: { statementTime: 120_000 },
  })
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})

const some = [
  'river',
  'River',
  'lantern',
  'RIVERBANK',
  // Long enough for an automaton in place of LIKE.
  'Riverbank '.repeat(8),
  'riverbank '.repeat(8).trim(),
  'ab',
  'Ä',
  'ß',
  '100%',
  'a_b',
  '\\',
  'cafe\u0301',
  'café',
  '😀',
  'x y',
  '',
]
const text = fc.array(fc.constantFrom(...some), { maxLength: 3 }).map((words) => words.join(' '))
const fragment = fc.oneof(
  fc.constantFrom(...some.filter(Boolean), 'r', 'iv', 'ive', '%', '_', '1', '12'),
  text.filter((value) => value.trim() !== ''),
)
const operator = fc.constantFrom(
  ...(['$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi'] as const),
  ...(['$notContains', '$notContainsi', '$eqi'] as const),
)
const query = fc.oneof(
  fragment.map((_q) => ({ _q })),
  fc.tuple(fc.constantFrom('title', 'body'), operator, fragment).map(([name, key, value]) => ({
    filters: { [name]: { [key]: value } },
  })),
)

describe('a search with an index', () => {
  it('gives the results of a search without an index', async () => {
    const rows = fc.sample(fc.tuple(fc.option(text), fc.option(text)), { numRuns: 300, seed: 3 })
    for (const table of ['plains', 'indexeds'])
      await octavo.store.query(
        `insert into ${table} (title, body) select t, b from unnest($1::text[], $2::text[]) as r(t, b)`,
        [rows.map(([title]) => title), rows.map(([, body]) => body)],
      )
    const ids = async (type: string, query: object) =>
      (await octavo.entries(type).find({ ...query, fields: ['id'], pagination: { pageSize: 100 } })).data
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        expect(await ids('indexed', given)).toEqual(await ids('plain', given))
      }),
      { numRuns: 150 },
    )
  })

  it('is served by the index', async () => {
    await octavo.store.query(
      `insert into indexeds (title, body) select md5(n::text), repeat(md5((n * 7)::text), 5) from generate_series(1, 40000) n`,
    )
    // Also moves the list of new rows into the index: PostgreSQL expects to read all of this list, which makes a scan of the table cheaper.
    await octavo.store.query('vacuum analyze indexeds')
    const plan = async (condition: string) => {
      const rows = await octavo.store.query(`explain select * from indexeds where ${condition}`)
      return rows.flat().join('\n')
    }
    expect(
      await plan(
        `lower(title) like '%c4ca4238%' or lower(body) like '%c4ca4238%' or lower(id::text) like '%c4ca4238%'`,
      ),
    ).toContain('indexeds_search_trigrams')
    const scans = async () => {
      const [row] = await octavo.store.query(
        `select idx_scan from pg_stat_all_indexes where indexrelname = 'indexeds_search_trigrams'`,
      )
      return Number(row?.[0])
    }
    const flush = () => octavo.store.query('select pg_stat_force_next_flush()')
    if (testEngine() === 'pglite') return
    await flush()
    const before = await scans()
    // Repeated, so that a cached generic plan would be used.
    for (let i = 1; i < 10; i++) {
      const found = await octavo.entries('indexed').find({ _q: 'c4ca4238a0', fields: ['id'] })
      expect(found.data).toHaveLength(1)
      await octavo.entries('indexed').find({ filters: { title: { $contains: `c4ca4238a${i}` } } })
    }
    await flush()
    expect(await scans()).toBeGreaterThanOrEqual(before + 18)
  })
})
