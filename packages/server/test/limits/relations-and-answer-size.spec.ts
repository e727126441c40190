/** The cost limits of a request, by the numbers in docs/contract/threats.md. */
import { testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const ask = (query: string) => site.api.get(`/api/articles?${query}`)
/** `author.articles` so many times over. */
const round = (times: number): string => Array.from({ length: times }, () => 'author.articles').join('.')
const brackets = (path: string): string => `[${path.replaceAll('.', '][')}]`

describe('S-29: the number of relations in a path is limited', () => {
  const paths = [
    ['a sort', (path: string) => `sort=${path}.title`, 'sort'],
    ['a filter', (path: string) => `filters${brackets(path)}[title][$ne]=x`, 'filters'],
    [
      'a filter below $not and $or',
      (path: string) => `filters[$not][$or][0]${brackets(path)}[title]=x`,
      'filters',
    ],
    [
      'the sort of a populated list',
      (path: string) => `populate[author][populate][articles][sort]=${path}.title`,
      'populate',
    ],
    [
      'the filter of a populated list',
      (path: string) => `populate[author][populate][articles][filters]${brackets(path)}[title][$ne]=x`,
      'populate',
    ],
  ] as const

  it.each(paths)('%s through six relations with many entries is answered', async (_, query) => {
    const { status } = await ask(query(round(6)))
    expect(status).toBe(200)
  })

  it.each(paths)('%s through seven is refused, with its place', async (_, query, place) => {
    const { status, body } = await ask(query(round(7)))
    expect(status).toBe(400)
    expect(body.error.name).toBe('ValidationError')
    expect(body.error.message).toMatch(
      new RegExp(`^${place}.*: a path may go through at most 6 relations and components with many entries.$`),
    )
  })

  it('a request may go through 500 in all, within the bound on its tables', async () => {
    const terms = (count: number) =>
      Array.from({ length: count }, (_, i) => `filters[$or][${i}][author][name]=a`).join('&')
    expect((await ask(terms(150))).status).toBe(200)
    const { status, body } = await ask(terms(501))
    expect([status, body.error.message]).toEqual([
      400,
      'filters and sort go through more than 500 relations and components in all.',
    ])
  })
})

describe.runIf(testEngine() === 'postgresql')('S-29: a client that leaves', () => {
  it('leaves no statement behind', async () => {
    const { store } = site.server.octavo
    await store.transaction(async (tx) => {
      await tx.query('lock table articles in access exclusive mode')
      const waiting = async (): Promise<number> => {
        const [row] = await tx.query(
          `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        // The activity is otherwise the same throughout a transaction.
        await tx.query('select pg_stat_clear_snapshot()')
        return Number(row?.[0])
      }
      const until = async (count: number): Promise<void> => {
        while ((await waiting()) !== count) await new Promise((resolve) => setTimeout(resolve, 10))
      }
      const clients = Array.from({ length: 3 }, () => {
        const client = new AbortController()
        const answer = fetch(`${site.url}/api/articles?sort=views`, { signal: client.signal })
        return { client, answer: expect(answer).rejects.toThrow(/abort/) }
      })
      await until(3)
      for (const { client } of clients) client.abort()
      await Promise.all(clients.map(({ answer }) => answer))
      await until(0)
    })
    expect((await ask('sort=views')).status).toBe(200)
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([])
  })
})

/** Three authors with a thousand articles each. */
async function openLibrary(options: Parameters<typeof openSite>[0] = {}): Promise<Site> {
  const library = await openSite(options)
  const { store } = library.server.octavo
  await store.query(`insert into authors (name) values ('Bea'), ('Cem')`)
  // In parts, for a time limit of the library on a machine that has other work.
  for (let first = 1; first < 3000; first += 100)
    await store.query(
      `insert into articles (title, views, author_id)
        select 'title ' || n, n, 1 + n % 3 from generate_series(${first}, ${first + 99}) n`,
    )
  await store.query('analyze articles')
  await store.query('analyze authors')
  return library
}

describe('S-29: statements through lists of lists', () => {
  const expensive = 'sort=author.articles.author.articles.title'

  it('end with their time, and health answers meanwhile', async () => {
    const library = await openLibrary({ limits: { statementTime: 300, embeddedStatementTime: 100 } })
    try {
      const answers = Array.from({ length: 5 }, (_, i) =>
        library.api.get(`/api/articles?${expensive}&pagination[page]=${i}`),
      )
      expect((await library.api.get('/_health')).status).toBe(204)
      for (const { status, body } of await Promise.all(answers))
        expect([status, body.error?.name]).toEqual([503, 'ServiceUnavailableError'])
      // The answer of a write is a read, and the write is rolled back with it.
      const before = await library.api.get('/api/articles/1?fields=title')
      const { status } = await library.api.put(
        '/api/articles/1?populate[author][populate][articles][sort]=author.articles.author.articles.title',
        { body: { data: { title: 'changed' } } },
      )
      expect(status).toBe(503)
      expect((await library.api.get('/api/articles/1?fields=title')).text).toBe(before.text)
    } finally {
      await library.close()
    }
  })

  const answered = [
    'sort=author.name',
    'filters[author][name]=Ada',
    'filters[author][articles][title]=One&pagination[limit]=1',
    'populate=*',
    'populate[author][populate][articles][limit]=5',
    '_q=zzz',
    'sort=title&pagination[start]=2900',
  ]
  it('are answered where they take little time', async () => {
    const library = await openLibrary()
    try {
      for (const query of answered)
        expect((await library.api.get(`/api/articles?${query}`)).status, query).toBe(200)
    } finally {
      await library.close()
    }
  })
})

describe('S-30: the size of one answer is bounded', () => {
  let library: Site
  beforeAll(async () => {
    library = await openLibrary({ limits: { answerRows: 1_100, answerBytes: 90_000 } })
  })
  afterAll(() => library.close())
  const authors = (query: string) => library.api.get(`/api/authors?${query}`)

  it('in entries and components, at any depth', async () => {
    const { status, body } = await authors('pagination[limit]=2&populate[articles][fields]=id')
    expect([status, body.error?.name]).toEqual([413, 'PayloadTooLargeError'])
    expect(body.error.message).toBe(
      'The answer would have more than 1100 entries and components, most of them in populate[articles]. Request a smaller page, populate less, or limit a populated list (populate[name][limit]).',
    )
  })

  it('in bytes', async () => {
    const { status, body } = await authors('pagination[limit]=1&populate=articles')
    expect([status, body.error?.name]).toEqual([413, 'PayloadTooLargeError'])
    expect(body.error.message).toMatch(
      /^The answer would have more than 90000 bytes, most of them in populate\[articles\]\. /,
    )
  })

  it('of one entry as of a list, and of the answer of a write', async () => {
    const one = await library.api.get('/api/authors/2?populate=articles')
    expect(one.status).toBe(413)
    const write = await library.api.put('/api/authors/2?populate=articles', {
      body: { data: { name: 'Dora' } },
    })
    expect([write.status, write.body.error?.message]).toEqual([413, expect.any(String)])
    expect((await library.api.get('/api/authors/2')).body.data.attributes.name).toBe('Bea')
  })

  it('of a page by cursor', async () => {
    const query = 'sort=id&pagination[after]=&populate[articles][fields]=id'
    expect((await authors(query)).status).toBe(413)
    expect((await authors(`${query}&pagination[pageSize]=1`)).status).toBe(200)
  })

  it('requests for parts, and for whole lists within the limits, are answered', async () => {
    const part = await authors('populate[articles][limit]=300&populate[articles][fields]=id')
    expect(
      part.body.data.map(
        (entry: { attributes: { articles: { data: unknown[] } } }) => entry.attributes.articles.data.length,
      ),
    ).toEqual([300, 300, 300])
    const whole = await authors('pagination[limit]=1&populate[articles][fields]=id')
    expect(whole.body.data[0].attributes.articles.data).toHaveLength(1_003)
    expect(whole.body.meta.pagination).toEqual({ start: 0, limit: 1, total: 3 })
    const both = 'pagination[limit]=2&populate[articles][fields]=id'
    expect((await authors(`${both}&sort=id`)).status).toBe(413)
  })

  it('a bound of each list cuts it, when the operator sets one', async () => {
    const cut = await openLibrary({ limits: { listRows: 10 } })
    try {
      const lengths = async (query: string) =>
        (await cut.api.get(`/api/authors?${query}`)).body.data.map(
          (entry: { attributes: { articles: { data: unknown[] } } }) => entry.attributes.articles.data.length,
        )
      expect(await lengths('populate=*')).toEqual([10, 10, 10])
      expect(await lengths('populate[articles][limit]=4')).toEqual([4, 4, 4])
      expect(await lengths('populate[articles][limit]=-1')).toEqual([10, 10, 10])
      expect(await lengths('populate[articles][pageSize]=30')).toEqual([10, 10, 10])
    } finally {
      await cut.close()
    }
  })
})
