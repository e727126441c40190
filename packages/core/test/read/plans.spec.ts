/** The plans that PostgreSQL makes for the questions of the benchmark, on tables of some thousands of rows. */
import {
  createOctavo,
  defineComponent,
  defineContentType,
  type ExplainedStep,
  type Octavo,
  unrestricted,
} from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { totals: 'kept', indexes: [{ attributes: ['status', 'views', 'id'] }] },
  attributes: {
    title: { type: 'string' },
    status: { type: 'string' },
    views: { type: 'integer' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
    blocks: { type: 'dynamiczone', components: ['shared.quote'] },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})
const tag = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags' },
  attributes: {
    name: { type: 'string' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
  },
})
const link = defineComponent({ uid: 'shared.link', attributes: { url: { type: 'string' } } })
const quote = defineComponent({ uid: 'shared.quote', attributes: { text: { type: 'string' } } })

/** One of a hundred articles is rare. */
const rows = [
  `insert into authors (name) select 'author ' || n from generate_series(1, 2000) n`,
  `insert into tags (name, parent_id) select 'tag ' || n, 1 + n / 10 from generate_series(1, 2000) n`,
  `insert into articles (title, status, views, author_id, author_position)
   select 'article ' || n, case when n % 100 = 0 then 'rare' else 'frequent' end, n % 977, 1 + n % 2000, n from generate_series(1, 10000) n`,
  `insert into articles_tags_links (owner_id, target_id, position)
   select n, 1 + (n * 7 + k * 331) % 2000, k from generate_series(1, 10000) n, generate_series(1, 2) k`,
  `insert into components_shared_link (owner_type, owner_id, field, position, url)
   select 'api::article.article', n, 'links', k, 'https://example.org' from generate_series(1, 10000) n, generate_series(1, 2) k`,
  `insert into components_shared_quote (owner_type, owner_id, field, position, text)
   select 'api::article.article', n, 'blocks', 1, 'text' from generate_series(1, 10000) n`,
  'analyze',
]

let database: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [article, author, tag],
    components: [link, quote],
    database: database.url,
    connections: 1,
  })
  for (const statement of rows) await octavo.store.query(statement)
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})

async function plan(query: string, id?: number): Promise<readonly ExplainedStep[]> {
  const { plan } = await octavo.explain(
    {
      type: octavo.registry.contentType('api::article.article'),
      action: id === undefined ? 'find' : 'findOne',
      kind: id === undefined ? 'list' : 'one',
      query,
      state: unrestricted('explains'),
      ...(id !== undefined && { id }),
    },
    { values: false },
  )
  const steps = (step: ExplainedStep): readonly ExplainedStep[] => [step, ...step.steps.flatMap(steps)]
  return plan ? steps(plan) : []
}

const content = /^(articles|authors|tags|components)/

describe.runIf(testEngine() === 'postgresql')('The plan of', () => {
  it.each([
    ['a list with its total', '', undefined, ['articles']],
    ['one entry by id', '', 7, ['articles']],
    [
      'populate=*',
      'populate=*',
      undefined,
      [
        'articles',
        'authors',
        'articles_tags_links',
        'tags',
        'components_shared_link',
        'components_shared_quote',
      ],
    ],
    [
      'a deep population',
      'populate[tags][populate][parent][fields]=name&populate[author]=true',
      undefined,
      ['articles', 'authors', 'articles_tags_links', 'tags'],
    ],
    [
      'a deep filter with a sort',
      'filters[author][id]=7&filters[status]=rare&sort=views:desc',
      undefined,
      ['articles'],
    ],
    [
      'a zone with `on`',
      'populate[blocks][on][shared.quote]=true',
      undefined,
      ['articles', 'components_shared_quote'],
    ],
    ['a filter by a rare value with a sort', 'filters[status]=rare&sort=views', undefined, ['articles']],
  ] as const)(
    '%s reads each table by an index, and only the rows of the page',
    async (_, query, id, tables) => {
      const steps = (await plan(query, id)).filter(({ table }) => table !== undefined && content.test(table))
      expect(new Set(steps.map(({ table }) => table))).toEqual(new Set(tables))
      for (const { type, table, rows, removedRows = 0 } of steps) {
        expect(type, table).not.toBe('Seq Scan')
        expect(rows + removedRows, table).toBeLessThan(1_000)
      }
    },
  )
})

describe.runIf(testEngine() === 'postgresql')('A connection', () => {
  it('compiles no plan to machine code, and takes random reads for cheap', async () => {
    const settings = await octavo.store.query(
      `select current_setting('jit'), current_setting('random_page_cost')`,
    )
    expect(settings).toEqual([['off', '1.1']])
  })
})
