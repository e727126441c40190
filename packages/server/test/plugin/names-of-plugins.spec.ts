/** Errors of functions that plugins give away, which run later: the log names the plugin. */
import { defineContentType, type Logger, silentLogger, sql } from '@octavo/core'
import { definePlugin, type PluginHost } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
})

/** The fields of a line of the log. */
interface Line {
  readonly err: Error
  readonly plugin?: string
  readonly route?: string
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const finds = sql`select 1 as "id"`

it.each<[string, (host: PluginHost) => void, string]>([
  [
    'a refusal of a check that fails',
    (host) =>
      host.hook('entry:checks', () => [
        {
          finds,
          refusal: () => {
            throw new Error('no seat')
          },
        },
      ]),
    'Plugin "acme" in entry:checks: no seat',
  ],
  [
    'a refusal of a check that gives no error',
    (host) => host.hook('entry:checks', () => [{ finds, refusal: () => undefined as never }]),
    'Plugin "acme" in entry:checks: the refusal of a check returned nothing, not an error',
  ],
  [
    'a refusal of a check that is no error for clients',
    (host) => host.hook('entry:checks', () => [{ finds, refusal: () => new Error('taken') as never }]),
    'Plugin "acme" in entry:checks: taken',
  ],
  [
    'a function that receives the rows of a statement',
    (host) =>
      host.hook('entry:statements', () => [
        {
          when: 'after',
          statement: finds,
          receive: () => {
            throw new Error('no row')
          },
        },
      ]),
    'Plugin "acme" in entry:statements: no row',
  ],
  [
    'an async function that receives the rows of a statement',
    (host) =>
      host.hook('entry:statements', () => [
        { when: 'after', statement: finds, receive: () => Promise.reject(new Error('no row')) },
      ]),
    'Plugin "acme" in entry:statements: a function returned a promise, and its result is used at once',
  ],
  [
    'a function that receives rows and is declared as async',
    (host) =>
      host.hook('entry:statements', () => [{ when: 'after', statement: finds, receive: async () => {} }]),
    'Plugin "acme" in entry:statements: the "receive" of a statement is async, and nothing waits for it',
  ],
  [
    'a filter that returns a promise',
    (host) =>
      host.hook('entry:beforeCreate', () => {}, {
        when: () => Promise.reject(new Error('no filter')) as never,
      }),
    'Plugin "acme" in entry:beforeCreate: a function returned a promise, and its result is used at once',
  ],
  [
    'a refusal of a check that is a promise',
    (host) =>
      host.hook('entry:checks', () => [{ finds, refusal: () => Promise.reject(new Error('late')) as never }]),
    'Plugin "acme" in entry:checks: a function returned a promise, and its result is used at once',
  ],
  [
    'a handler that throws an object',
    (host) =>
      host.hook('entry:beforeCreate', () => {
        throw { reason: 'no seat' }
      }),
    'Plugin "acme" in entry:beforeCreate: { reason: \'no seat\' }',
  ],
])('The log names the plugin of %s', async (_, setup, message) => {
  const lines: string[] = []
  const logger: Logger = {
    ...silentLogger,
    error: (line) => void lines.push((line as Line).err.message),
  }
  const server = await createServer({
    contentTypes: [article],
    plugins: [definePlugin({ name: 'acme', setup })],
    access: 'open',
    database: database.url,
    logger,
  })
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  const stored = async () => (await api.get('/api/articles')).body.data
  const before = await stored()
  expect((await api.post('/api/articles', { body: { data: { title: 'A' } } })).status).toBe(500)
  expect(lines).toEqual([message])
  // Rows are received with the answer of a message that may have committed the write.
  if (message.includes('entry:checks')) expect(await stored()).toEqual(before)
  await server.close()
})

it('The log names the plugin and the route of a handler that throws something else than an error', async () => {
  const lines: unknown[] = []
  const logger: Logger = {
    ...silentLogger,
    error: (line) => {
      const { err, plugin, route } = line as Line
      lines.push([err.message, plugin, route])
    },
  }
  const plugin = definePlugin({
    name: 'acme',
    setup: (host) =>
      host.hook('server:routes', (routes) =>
        routes.add({ method: 'GET', path: '/broken', handler: () => Promise.reject('a text') }),
      ),
  })
  const server = await createServer({ plugins: [plugin], database: database.url, logger })
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  expect((await api.get('/api/broken')).status).toBe(500)
  expect(lines).toEqual([['A value that is no Error was thrown: a text', 'acme', 'GET /api/broken']])
  await server.close()
})
