/** PostgreSQL reuses the plan of a usual page instead of planning it for each request. */
import { createOctavo, defineContentType, type Octavo } from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  // Without an index one plan is as good for any title.
  options: { indexes: [{ attributes: ['title', 'id'] }] },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'string', unique: true },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
  },
})
const tag = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags' },
  attributes: { name: { type: 'string' } },
})
const searched = (name: string) =>
  defineContentType({
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s` },
    options: { search: { attributes: ['title'] } },
    attributes: {
      title: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  })

let database: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [article, tag, searched('report'), searched('note')],
    database: database.url,
    connections: 1,
  })
  await octavo.store.query(
    `insert into articles (title, slug) select case when n % 1000 = 0 then 'rare' else 'frequent' end, n from generate_series(1, 20000) n`,
  )
  await octavo.store.query(
    `insert into reports (title) select case when n % 1000 = 0 then 'rare' else 'frequent' end || n from generate_series(1, 20000) n`,
  )
  await octavo.store.query(`insert into notes (title) select 'note ' || n from generate_series(1, 100) n`)
  await octavo.store.query('analyze')
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})

/** PostgreSQL plans a statement five times before it considers reusing a plan, and it is prepared at its third use. */
const repetitions = 12

/** Executions with a reused plan, of all statements on the only connection. */
const kept = (table?: string): Promise<number> => executions('generic_plans', table)

async function executions(kind: 'generic_plans' | 'custom_plans', table = 'articles'): Promise<number> {
  const [row] = await octavo.store.query(
    `select coalesce(sum(${kind}), 0) from pg_prepared_statements where statement like '%"${table}"%'`,
  )
  return Number(row?.[0])
}

describe.runIf(testEngine() === 'postgresql')('the plan of a list', () => {
  it.each([
    ['of the first page', {}],
    ['of a usual page size', { pagination: { pageSize: 10 } }],
    ['with related entries', { populate: { tags: { limit: 5 } } }],
    ['filtered by a key', { filters: { slug: '7' } }],
  ])('%s is kept', async (_, query) => {
    const before = await kept()
    const articles = octavo.entries('article')
    for (let n = 0; n < repetitions; n++) await articles.find(query)
    expect(await kept()).toBeGreaterThan(before)
  })
  it.each([
    ['of a page filtered by a value that may be rare', { filters: { title: 'rare' } }],
    ['of a search', { _q: 'rare' }],
  ])('%s is made anew for each value', async (_, query) => {
    const [generic, custom] = [await kept(), await executions('custom_plans')]
    const articles = octavo.entries('article')
    for (let n = 0; n < repetitions; n++) await articles.find(query)
    expect(await kept()).toBe(generic)
    expect(await executions('custom_plans')).toBeGreaterThan(custom)
  })
})

describe.runIf(testEngine() === 'postgresql')('the plan of a search with an index', () => {
  const phrases = ['rare', 'frequent', 'n', 'note 7', 'absent']
  const search = async (type: string, query: object = {}) => {
    const entries = octavo.entries(type)
    for (let n = 0; n < 3 * phrases.length; n++)
      await entries.find({ _q: phrases[n % phrases.length], ...query })
  }
  it('is made anew for each phrase, by a statement that is prepared', async () => {
    await search('report')
    expect(await kept('reports')).toBe(0)
    expect(await executions('custom_plans', 'reports')).toBeGreaterThan(repetitions)
    expect(await octavo.store.query('show plan_cache_mode')).toEqual([['auto']])
  })
  it('is kept while the table is small', async () => {
    await search('note')
    expect(await kept('notes')).toBeGreaterThan(0)
  })
  it('is made anew for a small table when the search goes through a relation as well', async () => {
    const before = await kept('notes')
    await search('note', { filters: { tags: { name: { $ne: 'a' } } } })
    expect(await kept('notes')).toBe(before)
  })
})
