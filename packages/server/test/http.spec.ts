import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { definePlugin, ForbiddenError, PluginError } from '@octavo/core'
import { createServer } from '@octavo/server'
import { testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

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

  it.each(['{}', '{"data":1}', '{"data":[]}', '{"data":null}', '[]', ''])(
    'needs an object "data": %s',
    async (text) => {
      const { status, body } = await post(text, 'application/json')
      expect([status, body.error.message]).toEqual([400, 'Missing "data" payload in the request body'])
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
})

describe('An internal error', () => {
  it('is a bare 500; the log names the plugin, the hook and the request', async () => {
    const broken = definePlugin({
      name: 'broken',
      setup: (octavo) =>
        octavo.hook('query:node', ({ use }) => {
          if (use === 'populate') throw new TypeError('select * from secrets')
          return undefined
        }),
    })
    const other = await openSite({ plugins: [broken] })
    const { status, text, headers } = await other.api.get('/api/articles?populate=author')
    expect(status).toBe(500)
    expect(JSON.parse(text)).toEqual(error(500, 'InternalServerError'))
    expect(text).not.toContain('secrets')
    const entry = other.log.find(({ level }) => level === 'error')
    expect(entry?.fields).toMatchObject({
      plugin: 'broken',
      hook: 'query:node',
      requestId: headers.get('x-request-id'),
    })
    await other.close()
  })

  it('of the database connection is 503, also for /_health', async () => {
    const other = await openSite()
    expect((await other.api.get('/_health')).status).toBe(204)
    await other.server.octavo.store.close()
    expect((await other.api.get('/_health')).status).toBe(503)
    await other.close()
  })
})

describe('Plugins', () => {
  it('add routes with parameters, bodies and their own methods', async () => {
    const echo = definePlugin({
      name: 'echo',
      setup: (octavo) =>
        octavo.hook('server:routes', (routes) => {
          routes.add({
            method: 'GET',
            path: '/echo/:word',
            handler: (context) => {
              context.body = { word: context.params.word }
            },
          })
          routes.add({
            method: 'POST',
            path: '/echo',
            body: 'fields',
            handler: (context) => {
              context.body = (context.request as { body?: unknown }).body ?? {}
            },
          })
        }),
    })
    const other = await openSite({ plugins: [echo] })
    expect((await other.api.get('/api/Echo/hi/')).body).toEqual({ word: 'hi' })
    expect((await other.api.post('/api/echo', { body: { a: [1] } })).body).toEqual({ a: [1] })
    const refused = await other.api.delete('/api/echo/hi')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    await other.close()
  })

  it.each([
    [
      'headers beyond their bound',
      `GET /api/articles HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(140_000)}\r\n\r\n`,
      431,
    ],
    ['a URL beyond it', `GET /api/articles?a=${'x'.repeat(140_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a header with a line feed in its name', 'GET / HTTP/1.1\r\nHo\nst: x\r\n\r\n', 400],
  ])('refuses %s as every error is answered', async (_, request, status) => {
    const { hostname, port } = new URL(site.url)
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(request))
      let answer = ''
      socket.on('data', (data) => {
        answer += data.toString()
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EPIPE' ? undefined : reject(error),
      )
    })
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(JSON.parse(body)).toMatchObject({ data: null, error: { status } })
  })

  it('have precedence over content endpoints of the same path', async () => {
    const count = definePlugin({
      name: 'count',
      setup: (octavo) =>
        octavo.hook('server:routes', (routes) =>
          routes.add({
            method: 'GET',
            path: '/articles/count',
            handler: (context) => {
              context.body = { count: 3 }
            },
          }),
        ),
    })
    const other = await openSite({ plugins: [count] })
    for (const path of ['/api/articles/count', '/api/Articles/COUNT', '/api/articles/count/'])
      expect((await other.api.get(path)).body).toEqual({ count: 3 })
    expect((await other.api.get('/api/articles/1')).body.data.id).toBe(1)
    expect((await other.api.get('/api/articles')).body.data).toHaveLength(3)
    expect((await other.api.put('/api/articles/count', { body: { data: {} } })).status).toBe(404)
    await other.close()
  })

  it('may not register one route twice', async () => {
    const claims = (name: string) =>
      definePlugin({
        name,
        setup: (o) =>
          o.hook('server:routes', (r) => r.add({ method: 'GET', path: '/mine', handler: () => {} })),
      })
    await expect(createServer({ plugins: [claims('first'), claims('second')] })).rejects.toThrow(PluginError)
    await expect(createServer({ plugins: [claims('first'), claims('second')] })).rejects.toThrow(
      /second.*GET \/api\/mine.*"first"/,
    )
  })

  it('authenticate and authorize before the body is read', async () => {
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

describe('A running server', () => {
  it('has the endpoints of an added content-type at once', async () => {
    expect((await site.api.get('/api/tags')).status).toBe(404)
    await site.server.addContentType({
      kind: 'collectionType',
      info: { singularName: 'tag', pluralName: 'tags' },
      attributes: { name: { type: 'string' } },
    })
    expect((await site.api.get('/api/tags')).body.data).toEqual([])
    expect(
      (await site.api.post('/api/tags', { body: { data: { name: 'new' } } })).body.data.attributes.name,
    ).toBe('new')
  })

  it('answers requests in flight before it stops, and accepts no new ones', async () => {
    let arrived: (() => void) | undefined
    let release: (() => void) | undefined
    const reached = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = definePlugin({
      name: 'slow',
      setup: (octavo) =>
        octavo.hook('server:authorize', async () => {
          arrived?.()
          await held
        }),
    })
    const other = await openSite({ plugins: [slow] })
    const answer = once(request(`${other.url}/api/articles`).end(), 'response')
    await reached
    const closing = other.close()
    await expect(fetch(`${other.url}/api/articles`)).rejects.toThrow()
    release?.()
    const [response] = await answer
    expect(response.statusCode).toBe(200)
    response.resume()
    await closing
  })
})

describe('Options', () => {
  it.each(['/content/', '/'])('api.rest.prefix may be %s', async (prefix) => {
    const other = await openSite({ api: { rest: { prefix } } })
    const { status } = await other.api.get(`${prefix}articles/1`)
    expect(status).toBe(200)
    await other.close()
  })

  it('api.rest.prefix is a path', async () => {
    for (const prefix of ['api', '/a b', '/:x', '//'])
      await expect(createServer({ api: { rest: { prefix } } })).rejects.toThrow(/api\.rest\.prefix/)
  })

  it('api.rest sets the prefix, page sizes and totals', async () => {
    const other = await openSite({
      api: { rest: { prefix: '/content', defaultLimit: 1, maxLimit: 2, withCount: false } },
    })
    expect((await other.api.get('/content/articles')).body.meta).toEqual({
      pagination: { page: 1, pageSize: 1 },
    })
    expect((await other.api.get('/content/articles?pagination[limit]=-1')).body.meta).toEqual({
      pagination: { start: 0, limit: 2 },
    })
    expect((await other.api.get('/api/articles')).status).toBe(404)
    await other.close()
  })

  it('api.rest.bulk adds the bulk route, all or nothing', async () => {
    expect(
      (await site.api.post('/api/authors/actions/bulk', { body: { create: [{ name: 'B' }] } })).status,
    ).toBe(404)
    const other = await openSite({ api: { rest: { bulk: true } } })
    const bulk = (body: object) => other.api.post('/api/authors/actions/bulk', { body })
    const done = await bulk({ create: [{ name: 'B1' }, { name: 'B2' }], update: [{ id: 1, name: 'Ada L' }] })
    expect(done.body).toEqual({
      data: { created: [expect.any(Number), expect.any(Number)], updated: [1], deleted: [] },
      meta: {},
    })
    const failed = await bulk({ create: [{ name: 'B3' }, { name: 'B1' }], delete: [1] })
    expect(failed.status).toBe(400)
    expect(failed.body.error.details.errors[0].path).toEqual(['create', '1', 'name'])
    expect(
      (await other.api.get('/api/authors?sort=id&fields=name')).body.data.map(
        (e: { attributes: { name: string } }) => e.attributes.name,
      ),
    ).toEqual(['Ada L', 'B1', 'B2'])
    await other.close()
  })
})

describe('GET /_metrics', () => {
  it('has response times, the statement cache and the pool, and is off by default', async () => {
    expect((await site.api.get('/_metrics')).status).toBe(404)
    const other = await openSite({ metrics: true })
    const figure = async (name: string): Promise<number> => {
      const { text, headers } = await other.api.get('/_metrics')
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    }
    const [hits, misses] = [
      'octavo_statement_cache_hits_total',
      'octavo_statement_cache_misses_total',
    ] as const
    const before = [await figure(hits), await figure(misses)] as const
    for (let i = 0; i < 3; i++) await other.api.get('/api/articles?sort=views')
    await other.api.get('/api/articles?sort=nothing')
    expect([await figure(hits), await figure(misses)]).toEqual([before[0] + 2, before[1] + 2])
    const counted = (status: string) =>
      figure(`octavo_http_request_duration_seconds_count\\{method="GET",status="${status}"\\}`)
    expect(await counted('4xx')).toBe(1)
    expect(await counted('2xx')).toBeGreaterThan(3)
    if (testEngine() === 'postgresql')
      expect(await figure('octavo_database_connections_open')).toBeGreaterThan(0)
    await other.close()
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
