/** The cost limits of a request, by the numbers in docs/contract/threats.md. */
import { testEngine } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

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

  it('a request may go through 500 in all', async () => {
    const terms = (count: number) =>
      Array.from({ length: count }, (_, i) => `filters[$or][${i}][author][name]=a`).join('&')
    expect((await ask(terms(500))).status).toBe(200)
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
  await store.query(
    `insert into articles (title, views, author_id) select 'title ' || n, n, 1 + n % 3 from generate_series(1, 3000) n`,
  )
  await store.query('analyze articles')
  await store.query('analyze authors')
  return library
}

describe('S-29: a statement has a price before it runs', () => {
  let library: Site
  beforeAll(async () => {
    library = await openLibrary()
  })
  afterAll(() => library.close())
  const get = (query: string) => library.api.get(`/api/articles?${query}`)
  const hop = 'author.articles'
  const refused = [
    ['a sort', `sort=${hop}.${hop}.title`, `sort=${hop}.${hop}.title`],
    ['a sort among others', `sort=title,${hop}.${hop}.views,author.name`, `sort=${hop}.${hop}.views`],
    [
      'a populated list in lists',
      'populate[author][populate][articles][populate][author][populate]=articles',
      'populate[author][populate][articles][populate][author][populate][articles]',
    ],
    [
      'the sort of a populated list',
      `populate[author][populate][articles][sort]=${hop}.title`,
      'populate[author][populate][articles]',
    ],
  ] as const

  it.each(refused)('%s is refused, with the part that costs most', async (_, query, at) => {
    const { status, body } = await get(query)
    expect([status, body.error?.name]).toEqual([400, 'ValidationError'])
    expect(body.error.message).toMatch(/: the estimated cost is \d+, and the limit is \d+\. /)
    expect(body.error.message.split(': ')[0]).toBe(at)
  })

  it('is also enforced in the answer of a write, which is then rolled back', async () => {
    const before = await library.api.get('/api/articles/1?fields=title')
    const { status, body } = await library.api.put(
      `/api/articles/1?populate[author][populate][articles][sort]=${hop}.${hop}.title`,
      { body: { data: { title: 'changed' } } },
    )
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('the estimated cost is')])
    expect((await library.api.get('/api/articles/1?fields=title')).text).toBe(before.text)
  })

  const answered = [
    'sort=author.name',
    'filters[author][name]=Ada',
    'filters[author][articles][title]=One&pagination[limit]=1',
    'populate=*',
    'populate[author][populate][articles][limit]=5',
  ]
  it.each(answered)('%s is answered', async (query) => {
    expect((await get(query)).status).toBe(200)
  })

  it('health answers during expensive requests', async () => {
    const dear = Array.from({ length: 11 }, (_, i) => get(`sort=${hop}.${hop}.title&pagination[page]=${i}`))
    const health = await library.api.get('/_health')
    expect(health.status).toBe(204)
    expect((await Promise.all(dear)).map(({ status }) => status)).toEqual(dear.map(() => 400))
  })
})

describe('S-29: a statement that reads a whole table has a price, too', () => {
  let library: Site
  const get = (query: string) => library.api.get(`/api/articles?${query}`)
  const manyConditions = Array.from({ length: 600 }, (_, i) => `filters[$or][${i}][title][$containsi]=z${i}`)
  const placeOf = (text: string): string => text.split(': ')[0] ?? ''
  afterEach(() => library.close())

  it('with a price of a few pages, searches, filters and sorts are refused by name', async () => {
    library = await openLibrary({ limits: { price: 50, embeddedPrice: 50 } })
    const refused = [
      ['_q=zzz', '_q'],
      ['filters[title][$contains]=zzz', 'filters[title]'],
      ['sort=title', 'sort=title'],
      ['filters[views][$gt]=5&sort=id', 'filters[views]'],
    ]
    for (const [query = '', place] of refused) {
      const { status, body } = await get(query)
      expect([status, placeOf(body.error?.message ?? '')], query).toEqual([400, place])
    }
    expect((await library.api.get('/api/articles/1')).status).toBe(200)
    // A page far into a list is priced as such, although a near one was answered before.
    expect((await get('sort=id&pagination[limit]=1&pagination[withCount]=false')).status).toBe(200)
    expect((await get('sort=id&pagination[start]=2900&pagination[withCount]=false')).status).toBe(400)
  })

  it.runIf(testEngine() === 'pglite')(
    'the embedded database, whose statements nothing ends, adds the length of the texts',
    async () => {
      library = await openLibrary()
      const { store } = library.server.octavo
      await store.query(`update articles set body = repeat('word ', 6000)`)
      const refused = [
        ['_q=zzz', '_q'],
        ['filters[body][$containsi]=zzz', 'filters[body]'],
        ['sort=body', 'sort=body'],
        [manyConditions.join('&'), 'filters[title]'],
        [
          'filters[author][articles][body][$contains]=zzz&filters[author][articles][body][$containsi]=zzz',
          'filters[author][articles][body]',
        ],
        [
          'populate[author][populate][articles][filters][body][$containsi]=zzz',
          'populate[author][populate][articles]',
        ],
      ]
      for (const [query = '', place] of refused) {
        const { status, body } = await get(query)
        expect([status, placeOf(body.error?.message ?? '')], query.slice(0, 80)).toEqual([400, place])
      }
      const answered = [
        '',
        'filters[title][$containsi]=zzz',
        'filters[body][$null]=true',
        'sort=title&pagination[start]=2900',
        manyConditions.slice(0, 20).join('&'),
        'filters[author][name][$containsi]=a&pagination[limit]=1&fields=id',
      ]
      for (const query of answered) expect((await get(query)).status, query.slice(0, 80)).toBe(200)
    },
  )
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
