import { defineContentType, ForbiddenError, type Logger, silentLogger } from '@octavo/core'
import { definePlugin, defineState } from '@octavo/core/plugin'
import { createServer, type MiddlewareChain, type Server } from '@octavo/server'
import { createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import type { Middleware } from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' }, region: { type: 'string' } },
})

/** The state of these tests, typed: a name or nothing. */
const region = defineState<'eu' | 'us'>('region')
const steps: string[] = []

/** Narrows articles to the region of the caller. */
const regions = definePlugin({
  name: 'regions',
  setup(host) {
    host.hook('server:state', (context) => (context.get('X-Region') === 'us' ? region.with('us') : undefined))
    const fact = host.fact('region', (state) => region.of(state) ?? '')
    host.hook('server:authorize', ({ name }, state) => {
      if (name === 'api::article.article.findOne' && region.of(state) === undefined)
        throw new ForbiddenError('regions/no-region', 'No region')
      steps.push(`authorize ${name}`)
    })
    host.hook('query:attribute', ({ name }, _node, context) =>
      name === 'region' && context.fact(fact) === '' ? false : undefined,
    )
    host.actions(() => [{ name: 'plugin::regions.latest' }])
    host.hook('server:routes', (routes) => {
      routes.add({
        method: 'GET',
        path: '/latest',
        action: 'plugin::regions.latest',
        handler: (context) => context.octavo.find('article', { sort: 'id:desc', pagination: { limit: 2 } }),
      })
      routes.add({ method: 'GET', path: '/own-query', handler: (context) => context.octavo.find('article') })
      routes.add({
        method: 'GET',
        path: '/first',
        handler: (context) => context.octavo.findOne('api::article.article', 1),
      })
      routes.add({
        method: 'GET',
        path: '/misspelt',
        handler: (context) => context.octavo.find('article', { filtres: {} }),
      })
      routes.add({
        method: 'GET',
        path: '/region',
        handler: (context) => {
          const value: 'eu' | 'us' | undefined = region.of(context.state.octavo)
          context.body = { region: value ?? null }
        },
      })
    })
    host.hook('server:middleware', (chain) => {
      chain.add('request', async (context, next) => {
        steps.push('request in')
        if (context.get('X-Broken')) throw new Error('broken middleware')
        await next()
        steps.push(`request out ${context.status}`)
      })
      chain.add('action', async (context, next, { name, type }) => {
        steps.push(`action ${name} ${type?.uid ?? '-'} ${region.of(context.state.octavo) ?? '-'}`)
        await next()
        context.set('X-Action', name)
      })
    })
  },
})

let database: TestDatabase
let server: Server
let api: ReturnType<typeof createClient>
const lines: string[] = []
const logger: Logger = {
  ...silentLogger,
  error: (bound) => void lines.push(String((bound as { err?: unknown }).err)),
  child: () => logger,
}

beforeAll(async () => {
  database = await createTestDatabase()
  server = await createServer({
    contentTypes: [article],
    plugins: [regions],
    database: database.url,
    logger,
    api: { rest: { bulk: true } },
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  const articles = server.octavo.entries('article')
  for (const title of ['one', 'two', 'three']) await articles.create({ title, region: 'eu' })
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

describe('The middleware of a plugin', () => {
  it('runs around requests before the caller is known, and around actions after', async () => {
    steps.length = 0
    const { headers } = await api.get('/api/articles', { headers: { 'x-region': 'us' } })
    expect(headers.get('x-action')).toBe('api::article.article.find')
    expect(steps).toEqual([
      'request in',
      'authorize api::article.article.find',
      'action api::article.article.find api::article.article us',
      'request out 200',
    ])
  })

  it('runs around routes of plugins, writes and bulk writes', async () => {
    steps.length = 0
    await api.get('/api/region')
    await api.post('/api/articles', { body: { data: { title: 'four' } } })
    await api.post('/api/articles/actions/bulk', { body: { delete: [4] } })
    expect(steps.filter((step) => step.startsWith('action'))).toEqual([
      'action  - -',
      'action api::article.article.create api::article.article -',
      'action api::article.article.bulk api::article.article -',
    ])
  })

  it('does not run around an action that the caller may not do', async () => {
    steps.length = 0
    expect((await api.get('/api/articles/1')).status).toBe(403)
    expect(steps).toEqual(['request in'])
  })

  it('that throws is a 500, and the log names the plugin and the hook', async () => {
    lines.length = 0
    expect((await api.get('/api/articles', { headers: { 'x-broken': '1' } })).status).toBe(500)
    expect(lines).toEqual(['PluginError: Plugin "regions" in server:middleware: broken middleware'])
  })

  it.each<[string, (chain: MiddlewareChain) => void]>([
    ['the middleware is no function', (chain) => chain.add('request', undefined as never)],
    [
      'there is no position "last"; there are request and action',
      (chain) => chain.add('last' as never, () => {}),
    ],
  ])('is a mistake that stops the start: %s', async (message, add) => {
    const plugin = definePlugin({ name: 'wrong', setup: (host) => host.hook('server:middleware', add) })
    await expect(createServer({ plugins: [plugin], database: database.url, logger })).rejects.toThrow(
      `Plugin "wrong" in server:middleware: ${message}`,
    )
  })

  it('that calls next() twice is an error that names the plugin', async () => {
    const plugin = definePlugin({
      name: 'twice',
      setup: (host) =>
        host.hook('server:middleware', (chain) =>
          chain.add('action', async (_context, next) => {
            await next()
            await next()
          }),
        ),
    })
    const other = await createServer({
      contentTypes: [article],
      plugins: [plugin],
      database: database.url,
      logger,
    })
    lines.length = 0
    const { url } = await other.listen(0, '127.0.0.1')
    expect((await createClient(url).get('/api/articles')).status).toBe(500)
    expect(lines).toEqual(['PluginError: Plugin "twice" in server:middleware: next() was called twice'])
    await other.close()
  })
})

describe('Middleware that does not await next()', () => {
  const careless: Middleware = (_context, next) => void next()
  const written = definePlugin({
    name: 'careless',
    setup: (host) => host.hook('server:middleware', (chain) => chain.add('action', (_, next) => void next())),
  })

  it.each([
    ['of the plugin "careless"', { plugins: [written] }],
    ['of the program', { middleware: [careless] }],
  ])('%s changes no answer and no error, and is logged once', async (whose, options) => {
    const sentences: string[] = []
    const other = await createServer({
      contentTypes: [article],
      database: database.url,
      logger: { ...silentLogger, error: (_, message) => void sentences.push(message) },
      ...options,
    })
    const { url } = await other.listen(0, '127.0.0.1')
    expect((await createClient(url).get('/api/articles')).status).toBe(200)
    expect((await createClient(url).get('/api/articles?filters[none]=1')).status).toBe(400)
    expect(sentences).toEqual([
      `A middleware ${whose} ended before next() did: it must await next(), or return it`,
    ])
    await other.close()
  })
})

describe('A typed value in the state of a request', () => {
  it('is read by handlers of routes, and passed by programs', async () => {
    expect((await api.get('/api/region', { headers: { 'x-region': 'us' } })).body).toEqual({ region: 'us' })
    expect((await api.get('/api/region')).body).toEqual({ region: null })
    const [first] = (await server.octavo.entries('article', region.with('eu')).find({ sort: 'id' })).data
    expect(first?.attributes.region).toBe('eu')
    const [other] = (await server.octavo.entries('article').find({ sort: 'id' })).data
    expect(Object.keys(other?.attributes ?? {})).not.toContain('region')
  })
})

describe('context.octavo', () => {
  it('answers a route like the content endpoint, with its envelope, limits and rights', async () => {
    const latest = await api.get('/api/latest', { headers: { 'x-region': 'us' } })
    const same = await api.get('/api/articles?sort=id:desc&pagination[limit]=2', {
      headers: { 'x-region': 'us' },
    })
    expect(latest.text).toBe(same.text)
    expect(latest.headers.get('content-type')).toBe(same.headers.get('content-type'))
    expect(latest.headers.get('etag')).toBe(same.headers.get('etag'))
    expect((await api.get('/api/latest')).text).not.toContain('region')
  })

  it('uses the query of the request without one of its own', async () => {
    const { body } = await api.get('/api/own-query?fields=title&filters[title]=two')
    expect(body.data).toEqual([{ id: 2, attributes: { title: 'two' } }])
    expect((await api.get('/api/own-query?filters[nothing]=1')).status).toBe(400)
  })

  it('checks the permission of the content-type, and answers 404 for a missing entry', async () => {
    expect((await api.get('/api/first')).status).toBe(403)
    expect((await api.get('/api/first', { headers: { 'x-region': 'us' } })).body.data.id).toBe(1)
  })

  it('refuses a misspelt parameter of the handler', async () => {
    const { status, body } = await api.get('/api/misspelt')
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('did you mean "filters"')])
  })
})
