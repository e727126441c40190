import { sql } from '@octavo/core'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { article, author, price } from '../src/article.ts'
import { readingTime } from '../src/reading-time.ts'

const start = (database: string) =>
  createServer({
    contentTypes: { article, author },
    components: { price },
    plugins: [readingTime({ wordsPerMinute: 2 })],
    database,
    access: 'open',
  })

let server: Awaited<ReturnType<typeof start>>
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createTestDatabase()
  server = await start(database.url)
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  await api.post('/api/authors', { body: { data: { name: 'Ada' } } })
  for (const data of [
    { title: 'Long', body: 'one two three four five', author: 1, price: { net: 10 } },
    { title: 'Short one', body: 'one', author: 1, views: { big: '@' } },
    { title: 'None' },
  ])
    await api.post('/api/articles', { body: { data } })
})
afterAll(async () => {
  await server.close()
  await drop()
})

const attributes = async (path: string) => (await api.get(path)).body.data.attributes

describe('A computed attribute', () => {
  it('is in answers, of an expression and of a function, at every depth', async () => {
    expect(await attributes('/api/articles/1')).toMatchObject({
      teaser: 'Long: one two three four f…',
      titleLength: 4,
      readingMinutes: 3,
    })
    expect(await attributes('/api/articles/3')).toMatchObject({
      teaser: 'None',
      titleLength: 4,
      readingMinutes: null,
    })
    const { articles } = await attributes(
      '/api/authors/1?populate[articles][populate]=price&populate[articles][sort]=id',
    )
    expect(articles.data[0].attributes).toMatchObject({
      teaser: 'Long: one two three four f…',
      readingMinutes: 3,
      price: { net: 10, gross: 12 },
    })
    const { body } = await api.get('/api/articles?sort=id')
    expect(body.data.map((entry: { attributes: { teaser: string } }) => entry.attributes.teaser)).toEqual([
      'Long: one two three four f…',
      'Short one: one…',
      'None',
    ])
  })

  it('is selected by fields, without the attributes that it is computed from', async () => {
    expect(await attributes('/api/articles/2?fields[0]=teaser&fields[1]=readingMinutes')).toEqual({
      teaser: 'Short one: one…',
      readingMinutes: 1,
    })
    expect(await attributes('/api/articles/2?fields=title')).toEqual({ title: 'Short one' })
  })

  it('of an expression can be filtered and sorted by, through relations too', async () => {
    const ids = async (query: string) =>
      (await api.get(`/api/articles?fields=id&${query}`)).body.data.map(({ id }: { id: number }) => id)
    expect(await ids('filters[readingMinutes][$gte]=1&sort=readingMinutes')).toEqual([2, 1])
    expect(await ids('sort[0]=titleLength:desc&sort[1]=id')).toEqual([2, 1, 3])
    expect(await ids('filters[price][gross]=12')).toEqual([1])
    expect((await api.get('/api/authors?filters[articles][readingMinutes]=3')).body.data).toHaveLength(1)
    const first = (
      await api.get('/api/articles?fields=id&sort=titleLength&pagination[after]=&pagination[pageSize]=1')
    ).body
    expect(first.data.map(({ id }: { id: number }) => id)).toEqual([1])
    const after = encodeURIComponent(first.meta.pagination.cursors.after)
    expect(await ids(`sort=titleLength&pagination[pageSize]=2&pagination[after]=${after}`)).toEqual([3, 2])
  })

  it('of a function is in no filter, no sort and no populate', async () => {
    for (const query of ['filters[teaser]=x', 'sort=teaser']) {
      const { status, body } = await api.get(`/api/articles?${query}`)
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringContaining('is computed by a function'),
      ])
    }
    expect((await api.get('/api/articles/1?populate=teaser')).status).toBe(200)
  })

  it('is not written, and is in the answer of a write and of a program', async () => {
    const { body } = await api.put('/api/articles/3', {
      body: { data: { title: 'Nothing', teaser: 'x', titleLength: 1 } },
    })
    expect(body.data.attributes).toMatchObject({ teaser: 'Nothing', titleLength: 7 })
    const { data } = await server.octavo
      .entries('article')
      .find({ filters: { titleLength: { $lt: 5 } }, fields: ['teaser', 'titleLength'] })
    const [first] = data
    // Typed from the definition.
    const length: number | null | undefined = first?.attributes.titleLength
    expect([first?.attributes.teaser, length]).toEqual(['Long: one two three four f…', 4])
  })

  it('leaves numbers of other attributes as they are written', async () => {
    const views = '{"big":12345678901234567890,"exact":1.10}'
    await server.octavo.store.run(sql`update "articles" set "views" = ${views}::jsonb where "id" = 2`)
    const { text } = await api.get('/api/articles/2?fields[0]=views&fields[1]=teaser')
    expect(text).toContain('"views":{"big":12345678901234567890,"exact":1.10},"teaser":"Short one: one…"')
  })
})
