/** The envelope, the JSON and the headers of answers. */
import { once } from 'node:events'
import { request } from 'node:http'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const beginningOfZstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** A body that `fetch` has unpacked, unless it is that of Node.js 22, which does not know zstd. */
const unpacked = (body: Uint8Array): Uint8Array =>
  beginningOfZstd.equals(body.subarray(0, beginningOfZstd.length)) ? zstdDecompressSync(body) : body

/** The result of `JSON.parse`. */
type Json = ReturnType<typeof JSON.parse>

describe('The envelope', () => {
  it('of a list has data and meta.pagination', async () => {
    const { status, body, headers } = await site.api.get('/api/articles?fields=title&pagination[pageSize]=2')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      data: [
        { id: 1, attributes: { title: 'One' } },
        { id: 2, attributes: { title: 'Two' } },
      ],
      meta: { pagination: { page: 1, pageSize: 2, pageCount: 2, total: 3 } },
    })
  })

  it('of one entry has an empty meta', async () => {
    expect((await site.api.get('/api/articles/2?fields=title')).body).toEqual({
      data: { id: 2, attributes: { title: 'Two' } },
      meta: {},
    })
  })

  it('of a write has meta in the entry', async () => {
    const { status, body } = await site.api.post('/api/authors', { body: { data: { name: 'Grace' } } })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: { id: expect.any(Number), attributes: expect.objectContaining({ name: 'Grace' }), meta: {} },
      meta: {},
    })
    expect((await site.api.delete(`/api/authors/${body.data.id}`)).body.data).toEqual(body.data)
    expect((await site.api.delete(`/api/authors/${body.data.id}`)).status).toBe(404)
  })
})

describe('The JSON of answers', () => {
  it.each([
    '/api/articles?populate=*',
    '/api/authors?populate=*',
    '/api/authors?populate[articles][count]=true',
    '/api/authors?populate[articles][populate]=*',
    '/api/authors/1?populate[articles][limit]=2',
  ])('of %s has no whitespace of its own', async (path) => {
    const { text, body } = await site.api.get(path)
    expect(text).toBe(JSON.stringify(body))
  })
})

describe('Headers', () => {
  it('X-Request-Id is that of the request, or a new one', async () => {
    expect((await site.api.get('/api/articles')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const given = await site.api.get('/api/articles', { headers: { 'x-request-id': 'my-request-1' } })
    expect(given.headers.get('x-request-id')).toBe('my-request-1')
    const insane = await site.api.get('/api/articles', { headers: { 'x-request-id': 'a b<script>' } })
    expect(insane.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('ETag gives 304 for a matching If-None-Match', async () => {
    // Not fetch: with this header it adds `no-cache`.
    const ask = async (path: string, etag: string) => {
      const [response] = await once(
        request(site.url + path, { headers: { 'if-none-match': etag } }).end(),
        'response',
      )
      response.resume()
      return response.statusCode
    }
    const etag = (await site.api.get('/api/articles')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^(W\/)?"/)
    expect(await ask('/api/articles', etag)).toBe(304)
    expect(await ask('/api/articles?sort=title', etag)).toBe(200)
  })

  it('forbid running and sniffing of responses', async () => {
    const { headers } = await site.api.get('/api/articles')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'`)
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it('compress long answers', async () => {
    const long = await fetch(`${site.url}/api/articles`, { headers: { 'accept-encoding': 'gzip' } })
    expect(long.headers.get('content-encoding')).toBe('gzip')
    expect(((await long.json()) as Json).data).toHaveLength(3)
    const short = await fetch(`${site.url}/api/articles/1?fields=title`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(short.headers.get('content-encoding')).toBeNull()
  })

  it.each(['gzip', 'br', 'zstd'])('compress by %s without a warning of Node', async (encoding) => {
    const warnings: string[] = []
    const note = ({ name }: Error) => warnings.push(name)
    // Longer than what a socket takes at once.
    const text = Array.from({ length: 30_000 }, (_, i) => i * 7_919).join(' ')
    const made = await site.api.post('/api/articles', {
      body: { data: { title: `In ${encoding}`, body: text } },
    })
    expect(made.status).toBe(200)
    process.on('warning', note)
    try {
      // Side by side, so that they share a statement.
      const asked = Array.from({ length: 4 }, () =>
        fetch(`${site.url}/api/articles?populate=*`, { headers: { 'accept-encoding': encoding } }),
      )
      for (const answer of await Promise.all(asked)) {
        expect(answer.headers.get('content-encoding')).toBe(encoding)
        expect(unpacked(await answer.bytes()).length).toBeGreaterThan(text.length)
      }
      // Node tells of them in the next turn.
      await new Promise((turn) => setImmediate(turn))
    } finally {
      process.off('warning', note)
    }
    expect(warnings).toEqual([])
  })
})

describe('S-16: other origins', () => {
  it('may read without credentials', async () => {
    const { headers } = await site.api.request('OPTIONS', '/api/articles', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('may send credentials only when they are listed', async () => {
    await expect(openSite({ cors: { credentials: true } })).rejects.toThrow('needs a list of origins')
    const listed = await openSite({ cors: { origins: ['https://good.example'], credentials: true } })
    const from = (origin: string) => listed.api.get('/api/articles', { headers: { origin } })
    expect((await from('https://good.example')).headers.get('access-control-allow-credentials')).toBe('true')
    expect((await from('https://evil.example')).headers.get('access-control-allow-origin')).not.toBe(
      'https://evil.example',
    )
    await listed.close()
  })

  it('are all allowed by a list with *, without credentials', async () => {
    const origins = ['https://good.example', '*']
    await expect(openSite({ cors: { origins, credentials: true } })).rejects.toThrow(
      'needs a list of origins',
    )
    const open = await openSite({ cors: { origins } })
    const { headers } = await open.api.get('/api/articles', { headers: { origin: 'https://other.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    await open.close()
  })
})
