/** The bounds on the size of a query and on the time of its statement: S-20 of docs/contract/threats.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const ask = (query: string) => site.api.get(`/api/articles?${query}`)

describe('S-20: expensive requests are refused before they run', () => {
  const nested = (depth: number): string =>
    `populate${'[author][populate][articles][populate]'.repeat(depth / 2)}[author]=true`

  it('populate is limited in depth and size', async () => {
    expect((await ask(`pagination[pageSize]=1&fields=id&${nested(8)}`)).status).toBe(200)
    const { status, body } = await ask(nested(60))
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/\d+/)])
  })

  it('populate=* at every place counts all that it opens', async () => {
    const stars = Array.from(
      { length: 12 },
      (_, i) => `populate${'[author][populate][articles][populate]'.repeat(i)}=*`,
    ).join('&')
    expect([200, 400]).toContain((await ask(`pagination[pageSize]=1&${stars}`)).status)
  })

  it('hundreds of conditions in $or are answered or refused with the bound, at once', async () => {
    const many = (n: number) =>
      Array.from({ length: n }, (_, i) => `filters[$or][${i}][title][$containsi]=x${i}`).join('&')
    expect((await ask(many(240))).status).toBe(200)
    const { status, body } = await ask(many(260))
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/at most 500|500/)])
  })

  it.each(['$contains', '$containsi', '$notContains', '$notContainsi', '$endsWith', '$endsWithi'])(
    'the texts that filters search for are limited in length: %s',
    async (operator) => {
      const two = (length: number) =>
        [0, 1].map((i) => `filters[$or][${i}][title][${operator}]=${'x'.repeat(length)}`).join('&')
      expect((await ask(two(500))).status).toBe(200)
      const { status, body } = await ask(two(501))
      expect([status, body.error.details.code]).toEqual([400, 'query/filter-texts-too-long'])
    },
  )

  it('a list of a thousand values is fine, one more is refused', async () => {
    const list = (n: number) =>
      Array.from({ length: n }, (_, i) => `filters[id][$in][${i}]=${i + 1}`).join('&')
    expect((await ask(list(1_000))).body.data).toHaveLength(3)
    const { status, body } = await ask(list(1_001))
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('1000')])
  })

  it.each([
    ['pagination[pageSize]=100000', 100],
    ['pagination[limit]=-1', 100],
    ['pagination[limit]=100000', 100],
  ])('%s is the maximum', async (query, size) => {
    const { pagination } = (await ask(query)).body.meta
    expect(pagination.pageSize ?? pagination.limit).toBe(size)
  })

  it('a phrase over its bound, too many parameters and too many brackets are refused', async () => {
    expect((await ask(`_q=${'x'.repeat(1_001)}`)).status).toBe(400)
    expect((await ask(`_q=${'x'.repeat(1_000)}`)).status).toBe(200)
    expect((await ask(Array.from({ length: 2_001 }, (_, i) => `a${i}=1`).join('&'))).status).toBe(400)
    expect((await ask(`filters${'[a]'.repeat(1_000)}=1`)).status).toBe(400)
  })

  it('a query string over its bound is refused with 413', async () => {
    const { status, body } = await ask(`a=${'x'.repeat(70_000)}`)
    expect([status, body.error.message]).toEqual([413, expect.stringContaining('65536')])
  })

  it('a statement over its time is 503 with the bound', async () => {
    if (site.server.octavo.store.engine !== 'postgresql') return
    const hurried = await openSite({ limits: { statementTime: 2_000 } })
    const { store } = hurried.server.octavo
    // A statement that waits for a lock exceeds its time limit on every machine.
    const { status, body } = await store.transaction(async (tx) => {
      await tx.query('lock table articles in access exclusive mode')
      return hurried.api.get('/api/articles')
    })
    expect([status, body.error.message]).toEqual([503, expect.stringContaining('2000 ms')])
    await hurried.close()
  })
})

describe('S-20: a message shows the beginning of a long value', () => {
  const long = 'y'.repeat(60_000)

  it.each([
    'sort=',
    'fields=',
    'filters[views]=',
    'filters[views][$in][0]=',
    'filters[author][id]=',
    'populate[author][sort]=',
    'pagination[page]=',
    'pagination[after]=',
  ])('of a query: %s', async (parameter) => {
    const { status, text } = await ask(parameter + long)
    expect([status, text.length < 5_000]).toEqual([400, true])
  })

  it.each([
    ['a relation', { author: long }],
    ['a connected entry', { author: { connect: [{ id: long }] } }],
    ['a value', { title: { [long]: long } }],
    ['a component', { seo: long }],
  ])('of a body, in the place of %s', async (_, attributes) => {
    const { status, text } = await site.api.post('/api/articles', {
      body: { data: { title: 'Long', ...attributes } },
    })
    expect([status, text.length < 5_000]).toEqual([400, true])
  })
})
