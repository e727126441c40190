/** Errors of `context.throw`, as code for Koa throws them: clients get the status, the name and the message. */
import { type Logger, silentLogger } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const lines: unknown[] = []
let database: TestDatabase
let server: Server
let api: ReturnType<typeof createClient>
beforeAll(async () => {
  const plugin = definePlugin({
    name: 'acme',
    setup: (host) => {
      host.hook('server:routes', (routes) => {
        routes.add({
          method: 'GET',
          path: '/closed',
          handler: (context) => context.throw(409, 'The shop is closed'),
        })
        routes.add({ method: 'GET', path: '/secret', handler: (context) => context.throw(500, 'in table x') })
        const returned = async (): Promise<object> => ({ data: [] })
        routes.add({ method: 'GET', path: '/returned', handler: returned as unknown as () => Promise<void> })
        routes.add({ method: 'GET', path: '/wordless', handler: (context) => context.throw(418) })
      })
      host.hook('server:middleware', (chain) =>
        chain.add('request', (context, next) =>
          context.path === '/api/guarded' ? context.throw(403, 'Members only') : next(),
        ),
      )
    },
  })
  database = await createTestDatabase()
  const logger: Logger = {
    ...silentLogger,
    error: (fields) => {
      const { err, plugin, route } = fields as { err: Error; plugin: string; route: string }
      lines.push([err.message, plugin, route])
    },
  }
  server = await createServer({ plugins: [plugin], database: database.url, access: 'open', logger })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

it.each([
  ['/api/closed', 409, 'ConflictError', 'The shop is closed'],
  ['/api/guarded', 403, 'ForbiddenError', 'Members only'],
  ['/api/wordless', 418, 'ImATeapotError', "I'm a Teapot"],
  ['/api/secret', 500, 'InternalServerError', 'Internal Server Error'],
])('%s is answered with %i and the message that is for clients', async (path, status, name, message) => {
  const { body, status: given } = await api.get(path)
  expect([given, body.data, body.error]).toEqual([
    status,
    null,
    expect.objectContaining({ status, name, message }),
  ])
})

it('A handler that returns a value in place of an answer is named in the log', async () => {
  lines.length = 0
  expect((await api.get('/api/returned')).status).toBe(500)
  expect(lines).toEqual([
    [expect.stringContaining('returned a value, and set no context.body'), 'acme', 'GET /api/returned'],
  ])
})
