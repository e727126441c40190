/** Creates that a client repeats with their `Idempotency-Key`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ api: { rest: { bulk: true } } })
})
afterAll(() => site.close())

const create = (key: string, data: object, path = '/api/articles') =>
  site.api.post(path, { body: { data }, headers: { 'idempotency-key': key } })
const titles = async (title: string): Promise<number> =>
  (await site.api.get(`/api/articles?filters[title]=${title}`)).body.data.length

describe('a create with an Idempotency-Key', () => {
  it('is written once, and repeated with its first answer', async () => {
    const first = await create('one', { title: 'once' })
    expect([first.status, first.headers.get('idempotency-key')]).toEqual([200, 'one'])
    await site.api.put(`/api/articles/${first.body.data.id}`, { body: { data: { views: 7 } } })
    const second = await create('one', { title: 'once' })
    expect([second.status, second.body]).toEqual([200, first.body])
    expect(await titles('once')).toBe(1)
  })

  it('is written once by requests at the same time', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create('together', { title: 'together' })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1)
    expect(await titles('together')).toBe(1)
  })

  it('is refused with another body, query or content-type', async () => {
    await create('mine', { title: 'mine' })
    for (const repeated of [
      create('mine', { title: 'other' }),
      create('mine', { title: 'mine' }, '/api/articles?fields=title'),
      create('mine', { name: 'mine' }, '/api/authors'),
    ]) {
      const { status, body } = await repeated
      expect([status, body.error.details.code]).toEqual([422, 'entry/key-reused'])
    }
  })

  it('is recognised by all but its passwords, which a client that repeats it need not keep', async () => {
    const first = await create('secret', { title: 'secret', secret: 'A-password-1' })
    const repeated = await create('secret', { title: 'secret' })
    expect([repeated.status, repeated.body]).toEqual([200, first.body])
    expect(await titles('secret')).toBe(1)
    expect((await create('secret', { title: 'other' })).status).toBe(422)
  })

  it('runs again when it was refused: its key was not stored', async () => {
    expect((await create('refused', {})).status).toBe(400)
    expect((await create('refused', { title: 'accepted' })).status).toBe(200)
  })

  it('is written again after a day', async () => {
    await create('old', { title: 'daily' })
    const { store } = site.server.octavo
    await store.query(`update "octavo_answers" set "at" = "at" - interval '25 hours'`)
    await create('old', { title: 'daily' })
    expect(await titles('daily')).toBe(2)
  })

  it('is recognised by all but its passwords as a bulk request too', async () => {
    const bulk = (entry: object) =>
      site.api.post('/api/articles/actions/bulk', {
        body: { create: [entry], update: [] },
        headers: { 'idempotency-key': 'bulk-secret' },
      })
    const first = await bulk({ title: 'secrets', secret: 'A-password-1' })
    expect(first.status).toBe(200)
    expect((await bulk({ title: 'secrets' })).body).toEqual(first.body)
    expect(await titles('secrets')).toBe(1)
    expect((await bulk({ title: 'others' })).status).toBe(422)
  })

  it('is written once as a bulk request', async () => {
    const bulk = (titles: readonly string[]) =>
      site.api.post('/api/articles/actions/bulk', {
        body: { create: titles.map((title) => ({ title })) },
        headers: { 'idempotency-key': 'bulk' },
      })
    const first = await bulk(['many', 'many'])
    expect([first.status, first.headers.get('idempotency-key')]).toEqual([200, 'bulk'])
    expect((await bulk(['many', 'many'])).body).toEqual(first.body)
    expect((await bulk(['many'])).body.error.details.code).toBe('entry/key-reused')
    expect(await titles('many')).toBe(2)
  })

  it('S-20: stores no answer that is larger than the largest body, and is written once all the same', async () => {
    const body = 'a'.repeat(600_000)
    const articles = await Promise.all(
      ['wide', 'wider'].map(async (title) => (await create(title, { title, body })).body.data.id),
    )
    const send = () => create('large', { name: 'large', articles }, '/api/authors?populate=articles')
    const first = await send()
    expect([first.status, first.body.data.attributes.articles.data.length]).toEqual([200, 2])
    const { status, body: repeated } = await send()
    expect([status, repeated.error.details.code]).toEqual([422, 'entry/answer-not-stored'])
    expect((await site.api.get('/api/authors?filters[name]=large')).body.data).toHaveLength(1)
    const other = await create('large', { name: 'other', articles }, '/api/authors?populate=articles')
    expect(other.body.error.details.code).toBe('entry/key-reused')
    const [row] = await site.server.octavo.store.query(
      'select max(octet_length("answer")) from "octavo_answers"',
    )
    expect(Number(row?.[0])).toBeLessThanOrEqual(1_048_576)
  })

  it('has a key of 1 to 255 characters', async () => {
    expect((await create('x'.repeat(255), { title: 'long' })).status).toBe(200)
    const { status, body } = await create('x'.repeat(256), { title: 'longer' })
    expect([status, body.error.details.code]).toEqual([400, 'request/bad-idempotency-key'])
  })

  it('does not store the key itself', async () => {
    await create('a readable key', { title: 'hashed' })
    const rows = await site.server.octavo.store.query('select "key", "content" from "octavo_answers"')
    expect(JSON.stringify(rows)).not.toContain('a readable key')
  })
})
