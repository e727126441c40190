import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type ContentTypeDefinition, defineComponent, silentLogger } from '@octavo/core'
import { definePlugin, type Registry, tagsOfWrite } from '@octavo/core/plugin'
import { type Client, createClient, createTestDatabase, runs } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../../src/index.ts'

// Some tests start several servers, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const type = (
  singularName: string,
  pluralName: string,
  attributes: ContentTypeDefinition['attributes'],
  options = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName },
  attributes,
  options,
})

const relation = (kind: string, target: string, more = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})
const contentTypes = [
  type(
    'article',
    'articles',
    {
      title: { type: 'string' },
      views: { type: 'integer' },
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      cover: relation('oneToOne', 'tag', { inversedBy: 'covered' }),
      next: relation('manyToOne', 'article'),
      comments: {
        type: 'relation',
        relation: 'morphMany',
        target: 'api::comment.comment',
        morphBy: 'subject',
      },
      seo: { type: 'component', component: 'shared.seo', repeatable: true },
    },
    { cacheControl: 'public, max-age=60' },
  ),
  type('author', 'authors', {
    name: { type: 'string' },
    articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
  }),
  type('tag', 'tags', {
    name: { type: 'string' },
    articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
    covered: relation('oneToOne', 'article', { mappedBy: 'cover' }),
  }),
  type('comment', 'comments', {
    text: { type: 'string' },
    subject: { type: 'relation', relation: 'morphToOne' },
  }),
]
const components = [
  defineComponent({
    uid: 'shared.seo',
    attributes: { label: { type: 'string' }, tag: relation('oneToOne', 'tag') as never },
  }),
]

let server: Server
let api: Client
let address: string
let drop: () => Promise<void>
/** The tags that the writes since the last call made stale. */
let stale: Set<string>
const open = async (options: Partial<ServerOptions> = {}): Promise<void> => {
  const database = await createTestDatabase()
  let registry: Registry
  stale = new Set()
  const watch = definePlugin({
    name: 'watch',
    setup(host) {
      host.hook('octavo:start', (octavo) => {
        registry = octavo.registry
      })
      host.hook('entry:committed', (event) => {
        for (const tag of tagsOfWrite(event, registry)) stale.add(tag)
      })
    },
  })
  server = await createServer({
    contentTypes,
    components,
    database: database.url,
    logger: silentLogger,
    plugins: [watch],
    access: 'open',
    ...options,
  })
  address = (await server.listen(0, '127.0.0.1')).url
  api = createClient(address)
  drop = database.drop
}
const close = async (): Promise<void> => {
  await server.close()
  await drop()
}

/** Status and Cache-Control of a conditional request. Not by fetch, which adds `no-cache`. */
const conditional = async (path: string, etag: string): Promise<unknown> => {
  const [response] = (await once(
    request(address + path, { headers: { 'if-none-match': etag } }).end(),
    'response',
  )) as [IncomingMessage]
  response.resume()
  return [response.statusCode, response.headers['cache-control']]
}

describe('Cache-Control', () => {
  afterEach(close)

  it('is the option of the content-type, for requests without credentials', async () => {
    await open()
    const { body } = await api.post('/api/articles', { body: { data: { title: 'A' } } })
    for (const path of ['/api/articles', `/api/articles/${body.data.id}`]) {
      const { headers } = await api.get(path)
      expect([headers.get('cache-control'), headers.get('vary')], path).toEqual([
        'public, max-age=60',
        expect.stringMatching(/Authorization, Cookie/),
      ])
      const etag = headers.get('etag') ?? ''
      expect(await conditional(path, etag)).toEqual([304, 'public, max-age=60'])
      expect((await api.head(path)).headers.get('cache-control')).toBe('public, max-age=60')
      for (const headers of [{ authorization: 'Bearer x' }, { cookie: 'a=b' }])
        expect((await api.get(path, { headers })).headers.get('cache-control')).toBe('private, no-cache')
    }
  })

  it('is absent on writes, errors and types without the option; tags are off by default', async () => {
    await open()
    const made = await api.post('/api/articles', { body: { data: { title: 'A' } } })
    for (const answer of [
      made,
      await api.get('/api/articles/999'),
      await api.get('/api/articles?sort=nothing'),
      await api.get('/api/authors'),
    ])
      expect(answer.headers.get('cache-control')).toBeNull()
    expect((await api.get('/api/articles')).headers.get('surrogate-key')).toBeNull()
  })

  it('stops the start when it is invalid', async () => {
    await open()
    const wrong = type(
      'page',
      'pages',
      { title: { type: 'string' } },
      { cacheControl: 'public\r\nset-cookie: x' },
    )
    await expect(createServer({ contentTypes: [wrong] })).rejects.toThrow(
      /api::page.page: options.cacheControl/,
    )
  })

  it('a conditional request runs one statement, as any does', async () => {
    await open({ cache: { tags: 'Surrogate-Key' } })
    const { store } = server.octavo
    let statements = 0
    const execute = store.execute.bind(store)
    Object.assign(store, {
      execute: (statement: Parameters<typeof execute>[0]) => {
        // The price of a statement is estimated once, with explain.
        if (!statement.text.startsWith('explain')) statements++
        return execute(statement)
      },
    })
    const etag = (await api.get('/api/articles')).headers.get('etag') ?? ''
    expect(await conditional('/api/articles', etag)).toEqual([304, 'public, max-age=60'])
    expect(statements).toBe(2)
  })
})

describe('Tags of answers', () => {
  afterEach(close)

  it('name the entries of the answer at any depth, and the types that it depends on', async () => {
    await open({ cache: { tags: 'Surrogate-Key' } })
    const post = async (plural: string, data: object): Promise<number> =>
      (await api.post(`/api/${plural}`, { body: { data } })).body.data.id
    const author = await post('authors', { name: 'Ada' })
    const tag = await post('tags', { name: 't' })
    const article = await post('articles', { title: 'A', author, seo: [{ label: 'm', tag }] })
    const tags = async (path: string) => (await api.get(path)).headers.get('surrogate-key')?.split(' ').sort()
    expect(await tags(`/api/articles/${article}`)).toEqual([`article/${article}`])
    expect(await tags('/api/articles')).toEqual([`article/${article}`, 'article:list'])
    expect(await tags('/api/articles?sort=views')).toEqual([
      `article/${article}`,
      'article:list',
      'article:values',
    ])
    expect(await tags(`/api/articles/${article}?populate[seo][populate]=tag&populate[author]=true`)).toEqual([
      `article/${article}`,
      `author/${author}`,
      'author:list',
      `tag/${tag}`,
      'tag:list',
    ])
    expect(await tags('/api/tags?filters[articles][author][name]=Ada&fields=name')).toEqual([
      'article:list',
      'article:values',
      'author:list',
      'author:values',
      'tag:list',
      'tag:values',
    ])
    stale.clear()
    await api.put(`/api/authors/${author}`, { body: { data: { name: 'Eve' } } })
    expect([...stale].sort()).toEqual([`author/${author}`, 'author:any', 'author:values', 'octavo:any-write'])
  })

  it('are separated by commas in Cache-Tag, and stay below 8 KiB', async () => {
    await open({ cache: { tags: 'Cache-Tag' }, api: { rest: { maxLimit: 2_000, bulk: true } } })
    const create = Array.from({ length: 750 }, (_, i) => ({ title: `${i}` }))
    for (let i = 0; i < 2; i++) await api.post('/api/articles/actions/bulk', { body: { create } })
    const { headers } = await api.get('/api/articles?pagination[limit]=1500')
    expect(headers.get('cache-tag')).toBe('article:list,article:any')
    expect((await api.get('/api/articles?pagination[limit]=2')).headers.get('cache-tag')).toBe(
      'article:list,article/1,article/2',
    )
  })
})

describe('A write that changes an answer', () => {
  beforeAll(() => open({ cache: { tags: 'Surrogate-Key' } }))
  afterAll(close)

  const rows = 4
  const id = fc.integer({ min: 1, max: rows })
  const ids = fc.uniqueArray(id, { maxLength: 3 })
  const word = fc.constantFrom('a', 'b', 'c')
  const to = (value: fc.Arbitrary<unknown>) =>
    fc.oneof(value, fc.record({ connect: ids.map((list) => list.slice(0, 1)) }), fc.constant(null))
  const data: Readonly<Record<string, fc.Arbitrary<object>>> = {
    articles: fc.record(
      {
        title: word,
        views: fc.integer({ min: 0, max: 3 }),
        author: to(id),
        tags: to(ids),
        cover: to(id),
        next: to(id),
        comments: to(ids),
        seo: fc.array(fc.record({ label: word, tag: fc.option(id) }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    authors: fc.record({ name: word, articles: to(ids) }, { requiredKeys: [] }),
    tags: fc.record({ name: word, articles: to(ids), covered: to(id) }, { requiredKeys: [] }),
    comments: fc.record(
      {
        text: word,
        subject: fc.oneof(
          fc.constant(null),
          id.map((n) => ({ id: n, type: 'api::article.article' })),
        ),
      },
      { requiredKeys: [] },
    ),
  }
  const plural = fc.constantFrom(...Object.keys(data))
  const write = plural.chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.constantFrom('create', 'update', 'update', 'update', 'delete'),
      id,
      data[name] as fc.Arbitrary<object>,
    ),
  )
  const questions = [
    'articles',
    'articles/1',
    'articles/2?populate=*',
    'articles?populate=*',
    'articles?fields=title&sort=views,title:desc&pagination[limit]=2',
    'articles?filters[author][name]=a&fields=title',
    'articles?filters[$not][tags][name]=b&fields=title',
    'articles?filters[seo][tag][name]=a&fields=id',
    'articles?filters[seo][label]=a&fields=id',
    'articles?sort=author.name&fields=id&pagination[limit]=2',
    'articles?filters[next][title]=a&populate[next][fields]=title&fields=id',
    'articles?_q=a&fields=id',
    'articles/3?populate[author][populate]=articles&populate[seo][populate]=tag&populate[comments]=true',
    'articles/1?populate[tags][filters][name]=a&populate[cover]=true',
    'authors/1?populate[articles][populate][tags][populate]=covered',
    'authors/2?populate[articles][count]=true',
    'authors?populate[articles][sort]=title&populate[articles][limit]=1',
    'tags?populate=covered',
    'tags/3?populate[covered][fields]=title&populate[articles][filters][author][name]=b',
    'comments',
  ]

  it('has a tag in common with it', { timeout: runs(120_000, 600_000) }, async () => {
    // Only the rows matter: they are the same in every run.
    const read = async (path: string) => {
      const { status, text, headers } = await api.get(`/api/${path}`)
      return { status, text, tags: headers.get('surrogate-key')?.split(' ') ?? [] }
    }
    const fill = async () => {
      const { store } = server.octavo
      await store.query(
        'truncate "articles", "authors", "tags", "comments", "components_shared_seo" restart identity cascade',
      )
      const post = (name: string, data: object) => api.post(`/api/${name}`, { body: { data } })
      for (let i = 1; i <= rows; i++) {
        await post('authors', { name: 'abc'[i % 3] })
        await post('tags', { name: 'abc'[i % 3] })
      }
      for (let i = 1; i <= rows; i++) {
        const other = (i % rows) + 1
        const seo = [{ label: 'a', tag: i }]
        await post('articles', { title: 'a', views: i % 3, author: other, tags: [i, other], cover: i, seo })
      }
      for (let i = 1; i <= rows; i++)
        await post('comments', { text: 'x', subject: { id: i, type: 'api::article.article' } })
    }
    const numRuns = runs(8, 80)
    let changed = 0
    let unchanged = 0
    await fc.assert(
      fc
        .asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (writes) => {
          for (const [name, action, at, input] of writes) {
            const before = await Promise.all(questions.map(read))
            stale.clear()
            const path = action === 'create' ? `/api/${name}` : `/api/${name}/${at}`
            const method = { create: 'POST', update: 'PUT', delete: 'DELETE' }[action] as string
            await api.request(method, path, action === 'delete' ? {} : { body: { data: input } })
            const after = await Promise.all(questions.map(read))
            for (const [i, { text, tags, status }] of before.entries()) {
              if (after[i]?.text === text) {
                if (status === 200 && !tags.some((tag) => stale.has(tag))) unchanged++
                continue
              }
              // A 404 has no tags; caches do not store it.
              if (status !== 200) continue
              changed++
              expect(
                tags.some((tag) => stale.has(tag)),
                `${method} ${path} ${JSON.stringify(input)} changed ${questions[i]}: ${tags} / ${[...stale]}`,
              ).toBe(true)
            }
          }
        })
        .beforeEach(fill),
      { numRuns },
    )
    expect(changed).toBeGreaterThan(numRuns * 3)
    // Exact enough to be useful: many responses correctly remain in the cache.
    expect(unchanged).toBeGreaterThan(numRuns * 10)
  })
})
