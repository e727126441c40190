/** Paths, methods and bodies of the endpoints of content-types. */
import { ForbiddenError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** The result of `JSON.parse`. */
type Json = ReturnType<typeof JSON.parse>

const error = (status: number, name: string) => ({
  data: null,
  error: { status, name, message: expect.any(String), details: expect.any(Object) },
})

describe('A path', () => {
  it.each(['/api/Articles/1', '/api/articles/1/', '/API/articles/1', '/api/articles/1/?x=1'])(
    '%s is that of the entry',
    async (path) => {
      expect((await site.api.get(path)).body.data.id).toBe(1)
    },
  )

  it.each([
    '/',
    '/nothing',
    '/api',
    '/api/',
    '/api/nothing',
    '/api/nothing/1',
    '/api/articles/1/2',
    '/api/homepages',
    '/api/homepage/1',
    '/api/%E0%A4',
    '/api/articles/%00',
  ])('%s is not found', async (path) => {
    const { status, body } = await site.api.get(path)
    expect(status).toBe(404)
    expect(body).toEqual(error(404, 'NotFoundError'))
  })

  it.each(['abc', '-1', '1.5', '0', '2147483648', '99999999999999999999', '1e0', '1e3', '%31x'])(
    '/api/articles/%s has no entry',
    async (id) => {
      expect((await site.api.get(`/api/articles/${id}`)).status).toBe(404)
    },
  )

  it.each(['1e0', '0x1', '1.0', ' 1', ''])('a position beside %j is no position', async (before) => {
    const articles = { connect: [{ id: 2, position: { before } }] }
    const { status, body } = await site.api.put('/api/authors/1', { body: { data: { articles } } })
    expect([status, body.error?.details.errors[0].path]).toEqual([400, ['articles']])
  })

  it('of a single type is its singular name, and its first update makes it', async () => {
    expect((await site.api.get('/api/homepage')).status).toBe(404)
    const { status, body } = await site.api.put('/api/homepage', { body: { data: { title: 'Welcome' } } })
    expect([status, body.data.attributes.title]).toEqual([200, 'Welcome'])
    await site.api.put('/api/homepage', { body: { data: { title: 'Back' } } })
    expect((await site.api.get('/api/homepage')).body.data).toMatchObject({
      id: body.data.id,
      attributes: { title: 'Back' },
    })
  })
})

describe('A method', () => {
  it.each([
    ['POST', '/api/articles/1', 'GET, PUT, DELETE, HEAD, OPTIONS'],
    ['PUT', '/api/articles', 'GET, POST, HEAD, OPTIONS'],
    ['PATCH', '/api/articles/1', 'GET, PUT, DELETE, HEAD, OPTIONS'],
    ['POST', '/api/homepage', 'GET, PUT, DELETE, HEAD, OPTIONS'],
  ])('%s is not possible for %s', async (method, path, allow) => {
    const { status, headers, body } = await site.api.request(method, path)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    expect(body).toEqual(error(405, 'MethodNotAllowedError'))
  })

  it('HEAD has the headers of GET and no body', async () => {
    const head = await site.api.head('/api/articles/1')
    const get = await site.api.get('/api/articles/1')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
  })

  it('OPTIONS lists the allowed methods', async () => {
    const { status, headers } = await site.api.request('OPTIONS', '/api/articles')
    expect([status, headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS'])
  })
})

describe('A body', () => {
  const post = (body: string | FormData | URLSearchParams, type?: string) =>
    fetch(`${site.url}/api/articles?fields=title`, {
      method: 'POST',
      body,
      headers: type ? { 'content-type': type } : {},
    }).then(async (r) => ({ status: r.status, body: (await r.json()) as Json }))

  it('may be JSON, a form, or multipart', async () => {
    const form = new FormData()
    form.append('data', JSON.stringify({ title: 'By parts' }))
    const answers = [
      await post(JSON.stringify({ data: { title: 'By JSON' } }), 'application/json'),
      await post(new URLSearchParams({ 'data[title]': 'By form' })),
      await post(form),
    ]
    expect(answers.map(({ status, body }) => [status, body.data.attributes.title])).toEqual([
      [200, 'By JSON'],
      [200, 'By form'],
      [200, 'By parts'],
    ])
    for (const { body } of answers) await site.api.delete(`/api/articles/${body.data.id}`)
  })

  it.each(['{}', '{"data":1}', '{"data":[]}', '{"data":null}', '{"data":"{\\"title\\":\\"a\\"}"}', '[]', ''])(
    'needs an object "data": %s',
    async (text) => {
      const { status, body } = await post(text, 'application/json')
      expect([status, body.error?.message]).toEqual([400, 'Missing "data" payload in the request body'])
    },
  )

  it('that is not JSON is a SyntaxError', async () => {
    const { status, body } = await post('{"data":', 'application/json')
    expect([status, body]).toEqual([400, error(400, 'SyntaxError')])
  })

  it('that is too large is refused with 413', async () => {
    const { status, body } = await post(
      JSON.stringify({ data: { title: 'x'.repeat(2_000_000) } }),
      'application/json',
    )
    expect([status, body]).toEqual([413, error(413, 'PayloadTooLargeError')])
  })

  it('has all its mistakes reported at once', async () => {
    const { body } = await post(
      JSON.stringify({ data: { title: 5, views: -1, author: 999 } }),
      'application/json',
    )
    expect(body.error.message).toBe('3 errors occurred')
    expect(body.error.details.errors.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
      'title',
      'views',
      'author',
    ])
  })
})

describe('A request', () => {
  it('is authorized before its body is read', async () => {
    const called: string[] = []
    const guard = definePlugin({
      name: 'guard',
      setup: (octavo) => {
        octavo.hook('server:authorize', ({ name }) => {
          called.push(name)
          if (name.endsWith('.create')) throw new ForbiddenError('test/forbidden', 'Forbidden')
        })
      },
    })
    const other = await openSite({ plugins: [guard] })
    const { status, body } = await other.api.post('/api/articles', {
      body: 'not json',
      headers: { 'content-type': 'application/json' },
    })
    expect([status, body]).toEqual([403, error(403, 'ForbiddenError')])
    await other.api.get('/api/articles')
    await other.api.get('/api/articles/1')
    await other.api.get('/api/homepage')
    expect(called).toEqual([
      'api::article.article.create',
      'api::article.article.find',
      'api::article.article.findOne',
      'api::homepage.homepage.find',
    ])
    await other.close()
  })
})
