import { ConfigurationError, defineContentType, silentLogger } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { checkServer, createServer, type Route, type ServerOptions } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { article, author, homepage, seo } from '../support/site.ts'

/** A plugin with one route, whose answer is its own. */
const own = (route: Pick<Route, 'method' | 'path' | 'replaces' | 'root'>) =>
  definePlugin({
    name: 'own',
    setup: (octavo) =>
      octavo.hook('server:routes', (routes) =>
        routes.add({
          ...route,
          handler: (context) => {
            context.body = 'own'
          },
        }),
      ),
  })

const refusal = (uid: string, endpoint: string, key: string, name: string): string =>
  `The content-type ${uid} has endpoints that belong to routes of plugins ("own"): ${endpoint}. Give it another ${key} than "${name}", or give a route of your own another path, or replaces: true to answer in its place`

describe('A route of a plugin on the path of a content-type', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const start = (route: Parameters<typeof own>[0], options: ServerOptions = {}) =>
    createServer({
      contentTypes: [article, author, homepage],
      components: [seo],
      plugins: [own(route)],
      database: database.url,
      logger: silentLogger,
      access: 'open',
      ...options,
    })

  it.each([
    [{ method: 'GET', path: '/articles' }, 'GET /api/articles'],
    [{ method: 'POST', path: '/Articles' }, 'POST /api/articles'],
    [{ method: 'PUT', path: '/articles/:slug' }, 'PUT /api/articles/:id'],
    [{ method: 'DELETE', path: '/articles{/:id}' }, 'DELETE /api/articles/:id'],
    [{ method: 'POST', path: '/articles/actions/bulk' }, 'POST /api/articles/actions/bulk'],
    [{ method: 'GET', path: '/api/articles', root: true }, 'GET /api/articles'],
  ] as const)('stops the start: %o', async (route, endpoint) => {
    await expect(start(route, { api: { rest: { bulk: true } } })).rejects.toThrow(
      refusal('api::article.article', endpoint, 'info.pluralName', 'articles'),
    )
  })

  it('stops the start for a page where the interface has no prefix', async () => {
    await expect(
      start({ method: 'GET', path: '/articles/:name', root: true }, { api: { rest: { prefix: '' } } }),
    ).rejects.toThrow(refusal('api::article.article', 'GET /articles/:id', 'info.pluralName', 'articles'))
  })

  it('stops the start for a single type, with the name to change', async () => {
    await expect(start({ method: 'GET', path: '/homepage' })).rejects.toThrow(
      refusal('api::homepage.homepage', 'GET /api/homepage', 'info.singularName', 'homepage'),
    )
  })

  it('takes the place of the endpoint with `replaces`', async () => {
    const server = await start({ method: 'GET', path: '/authors', replaces: true })
    const { url } = await server.listen(0, '127.0.0.1')
    const api = createClient(url)
    expect((await api.get('/api/authors')).text).toBe('own')
    expect((await api.post('/api/authors', { body: { data: { name: 'Ada' } } })).status).toBe(200)
    expect((await api.get('/api/authors/1')).body.data.attributes.name).toBe('Ada')
    await server.close()
  })

  it.each([
    ['server', 'tag'],
    ['octavo', 'label'],
  ] as const)(
    'refuses a content-type that %s.addContentType adds, and stores nothing',
    async (method, name) => {
      const definition = defineContentType({
        kind: 'collectionType',
        info: { singularName: name, pluralName: `${name}s` },
        attributes: { name: { type: 'string' } },
      })
      const uid = `api::${name}.${name}`
      const server = await start({ method: 'GET', path: `/${name}s` })
      const adder = method === 'server' ? server : server.octavo
      const added = adder.addContentType(definition)
      await expect(added).rejects.toThrow(refusal(uid, `GET /api/${name}s`, 'info.pluralName', `${name}s`))
      await expect(added).rejects.toBeInstanceOf(ConfigurationError)
      expect([...server.registry.contentTypes.keys()]).not.toContain(uid)
      await server.close()
      // A stored definition would be part of the model again.
      const next = await start({ method: 'GET', path: '/elsewhere' })
      expect([...next.registry.contentTypes.keys()]).not.toContain(uid)
      await next.close()
    },
  )
})

it.each([
  [undefined, false, '/api/latest'],
  ['latest', true, '/latest'],
  [Promise.resolve(), false, '/api/latest'],
])(
  'a route of a plugin without a function as its handler stops the start: %o',
  async (handler, root, path) => {
    const database = await createTestDatabase()
    const plugin = definePlugin({
      name: 'latest',
      setup: (octavo) =>
        octavo.hook('server:routes', (routes) =>
          routes.add({
            method: 'GET',
            path: '/latest',
            root,
            handler: handler as unknown as Route['handler'], // as from JavaScript
          }),
        ),
    })
    try {
      await expect(
        createServer({
          contentTypes: [article, author],
          components: [seo],
          plugins: [plugin],
          database: database.url,
          logger: silentLogger,
        }),
      ).rejects.toThrow(
        `Plugin "latest" in server:routes: the handler of the route GET ${path} is no function`,
      )
    } finally {
      await database.drop()
    }
  },
)

it.each<[string, object, string]>([
  [
    'path without a slash',
    { path: 'latest' },
    'the path of a route begins with /, not as "latest"; write "/latest"',
  ],
  [
    'method in small letters',
    { method: 'get' },
    'the route /api/latest has the method "get", not one of "GET", "POST", "PUT"',
  ],
  [
    'misspelt action',
    { actoin: 'plugin::a.b.c' },
    'the route GET /api/latest: there is no option "actoin"; did you mean "action"?',
  ],
  [
    'body of another kind',
    { body: 'json' },
    'the route GET /api/latest has the body "json", not one of "fields", "none"',
  ],
])('a route of a plugin with a %s stops the start', async (_what, mistake, message) => {
  const plugin = definePlugin({
    name: 'latest',
    setup: (host) =>
      host.hook('server:routes', (routes) =>
        routes.add({ method: 'GET', path: '/latest', handler: () => {}, ...mistake }),
      ),
  })
  expect(() => checkServer({ plugins: [plugin], logger: silentLogger })).toThrow(
    `Plugin "latest" in server:routes: ${message}`,
  )
})

it('the log names the plugin and the route whose handler fails', async () => {
  const lines: { readonly fields: object; readonly message: string }[] = []
  const logger = {
    ...silentLogger,
    error: (fields: object, message: string) => void lines.push({ fields, message }),
  }
  const plugin = definePlugin({
    name: 'latest',
    setup: (host) =>
      host.hook('server:routes', (routes) => {
        routes.add({
          method: 'GET',
          path: '/latest/:id',
          handler: () => {
            throw new RangeError('boom')
          },
        })
      }),
  })
  const database = await createTestDatabase()
  const server = await createServer({
    plugins: [plugin],
    database: database.url,
    logger: { ...logger, child: () => logger },
    access: 'open',
  })
  try {
    const { url } = await server.listen(0, '127.0.0.1')
    expect((await createClient(url).get('/api/latest/5')).status).toBe(500)
    expect(lines).toEqual([
      {
        message: 'A request failed',
        fields: expect.objectContaining({
          err: expect.objectContaining({ name: 'RangeError', message: 'boom' }),
          plugin: 'latest',
          route: 'GET /api/latest/:id',
        }),
      },
    ])
  } finally {
    await server.close()
    await database.drop()
  }
})

it('a route with the prefix in its path, which would be there twice, is a warning at the start', async () => {
  const warnings: string[] = []
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) }
  const plugin = definePlugin({
    name: 'latest',
    setup: (host) =>
      host.hook('server:routes', (routes) => {
        for (const path of ['/api/latest', '/apis', '/latest'])
          routes.add({ method: 'GET', path, handler: () => {} })
        routes.add({ method: 'GET', path: '/api/root', root: true, handler: () => {} })
      }),
  })
  const database = await createTestDatabase()
  const server = await createServer({
    plugins: [plugin],
    database: database.url,
    logger: { ...logger, child: () => logger },
  })
  await server.close()
  await database.drop()
  expect(warnings.filter((line) => line.startsWith('Plugin'))).toEqual([
    'Plugin "latest" in server:routes: the route GET /api/api/latest has /api twice, since paths of routes are below it; write "/latest"',
  ])
})
