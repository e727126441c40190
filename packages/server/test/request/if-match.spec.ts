/** `If-Match`: a write only of the version that the client has seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const path = '/api/articles/1'
const etag = async (query = ''): Promise<string> =>
  (await site.api.get(`${path}${query}`)).headers.get('etag') ?? ''
const put = (title: string, tag: string, query = '') =>
  site.api.put(`${path}${query}`, { body: { data: { title } }, headers: { 'if-match': tag } })
const changed = {
  status: 412,
  body: {
    data: null,
    error: {
      status: 412,
      name: 'PreconditionFailedError',
      message: 'This is not the version that If-Match names: it was changed or deleted meanwhile.',
      details: { code: 'precondition/changed' },
    },
  },
}

describe('a PUT with If-Match', () => {
  it('writes the version that the client has seen, and refuses another', async () => {
    const seen = await etag()
    expect(await put('First', seen)).toMatchObject({ status: 200 })
    expect(await put('Second', seen)).toMatchObject(changed)
    expect((await site.api.get(path)).body.data.attributes.title).toBe('First')
    expect(await put('Third', await etag())).toMatchObject({ status: 200 })
  })
  it('takes the ETag of the same query', async () => {
    const query = '?fields=title&populate=author'
    const seen = await etag(query)
    expect(await put('Fourth', seen)).toMatchObject(changed)
    expect(await put('Fourth', seen, query)).toMatchObject({ status: 200 })
  })
  it('takes a list, the weak form of compressed answers, and * for any version', async () => {
    expect(await put('Fifth', `"other", ${await etag()}`)).toMatchObject({ status: 200 })
    expect(await put('Sixth', `W/${(await etag()).replace(/^W\//, '')}`)).toMatchObject({ status: 200 })
    expect(await put('Seventh', '*')).toMatchObject({ status: 200 })
  })
  it('has an answer without an ETag, as a GET may answer otherwise', async () => {
    expect((await put('Eighth', '*')).headers.get('etag')).toBe(null)
  })
  it('accepts one of many writers', async () => {
    const seen = await etag()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => put(`Writer ${i}`, seen)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(9)
  })
  it('refuses an entry that is not there', async () => {
    const answer = await site.api.put('/api/articles/999', {
      body: { data: { title: 'x' } },
      headers: { 'if-match': '*' },
    })
    expect(answer).toMatchObject(changed)
  })
})

describe('a DELETE with If-Match', () => {
  it('deletes the version that the client has seen only', async () => {
    const seen = (await site.api.get('/api/articles/2')).headers.get('etag') ?? ''
    await site.api.put('/api/articles/2', { body: { data: { title: 'Changed' } } })
    const remove = (tag: string) => site.api.delete('/api/articles/2', { headers: { 'if-match': tag } })
    expect(await remove(seen)).toMatchObject(changed)
    const now = (await site.api.get('/api/articles/2')).headers.get('etag') ?? ''
    expect(await remove(now)).toMatchObject({ status: 200 })
  })
})

describe('an ETag', () => {
  it('is strong, and weak where the answer is compressed', async () => {
    const encoded = async (encoding: string) =>
      (await site.api.get('/api/articles', { headers: { 'accept-encoding': encoding } })).headers.get('etag')
    const plain = await encoded('identity')
    expect(plain).toMatch(/^"[\w-]+"$/)
    expect(await encoded('gzip')).toBe(`W/${plain}`)
  })
})
