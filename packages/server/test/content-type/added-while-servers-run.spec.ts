import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type ContentTypeDefinition,
  DefinitionError,
  defineContentType,
  type Logger,
  SchemaError,
  silentLogger,
  sql,
} from '@octavo/core'
import { planSchema } from '@octavo/core/internal'
import { definePlugin } from '@octavo/core/plugin'
import { type Client, createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../../src/index.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
})
const tag: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags' },
  attributes: {
    name: { type: 'string' },
    article: { type: 'relation', relation: 'manyToOne', target: 'api::article.article' },
  },
}
/** A plugin with a route for each content-type, which answers with the attributes of the type that it was registered for. */
const attributes = definePlugin({
  name: 'attributes',
  setup: (host) =>
    host.hook('server:routes', (routes) =>
      routes.forEachType((type) =>
        routes.add({
          method: 'GET',
          path: `/attributes/${type.pluralName}`,
          handler: (context) => {
            context.body = { names: [...type.attributes.keys()].filter((name) => !name.endsWith('At')) }
          },
        }),
      ),
    ),
})

const errors: string[] = []
const logger: Logger = {
  ...silentLogger,
  error: (_, message) => void errors.push(message),
  child: () => logger,
}
const closing: (() => Promise<unknown>)[] = []
/** A database that can be opened again: the embedded engine's is in a folder. */
let database: string
beforeEach(async () => {
  errors.length = 0
  if (testEngine() === 'pglite') {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-added-'))
    closing.push(() => rm(folder, { recursive: true }))
    database = `file:${path.join(folder, 'data')}`
  } else {
    const { url, drop } = await createTestDatabase()
    closing.push(drop)
    database = url
  }
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const open = async (
  options: ServerOptions = {},
): Promise<{ readonly server: Server; readonly api: Client }> => {
  const server: Server = await createServer({
    contentTypes: [article],
    plugins: [attributes],
    database,
    logger,
    access: 'open',
    ...options,
  })
  closing.push(() => server.close())
  return { server, api: createClient((await server.listen(0, '127.0.0.1')).url) }
}

const patience = { timeout: 120_000 }
const statusOf = (api: Client, at: string) => async () => (await api.get(at)).status

describe('A content-type that is added while servers run', () => {
  it('is there after a restart, and may be added again', async () => {
    const first = await open()
    await first.server.addContentType(tag)
    await first.api.post('/api/tags', { body: { data: { name: 'new' } } })
    await first.server.close()

    const second = await open()
    expect((await second.api.get('/api/tags')).body.data[0].attributes.name).toBe('new')
    expect((await second.api.get('/api/attributes/tags')).body.names).toEqual(['name', 'article'])
    const again = await second.server.addContentType({ ...tag })
    expect(again).toBe(second.server.registry.contentTypes.get('api::tag.tag'))
    await second.server.close()
    const plan = await planSchema({ contentTypes: [article], database })
    expect(plan.warnings).toEqual([])
  })

  it('has the attributes of the definition that was added last', async () => {
    const { server, api } = await open()
    await server.addContentType(tag)
    await api.get('/api/tags?filters[name][$eq]=x')
    const colour = { ...tag, attributes: { ...tag.attributes, colour: { type: 'string' } } }
    await server.addContentType(colour)
    const made = await api.post('/api/tags?populate=article', { body: { data: { colour: 'red' } } })
    expect(made.body.data.attributes).toMatchObject({ name: null, colour: 'red' })
    expect((await api.get('/api/tags?filters[colour][$eq]=red')).body.data).toHaveLength(1)
    expect((await api.get('/api/attributes/tags')).body.names).toEqual(['name', 'article', 'colour'])

    const number = { ...tag, attributes: { name: { type: 'integer' } } }
    await expect(server.addContentType(number)).rejects.toThrow(SchemaError)
    expect((await api.get('/api/attributes/tags')).body.names).toContain('colour')
    await server.close()
    const restarted = await open()
    expect((await restarted.api.get('/api/tags')).body.data[0].attributes.colour).toBe('red')
    expect(errors).toEqual([])
  })

  it('yields to a definition in code', async () => {
    const { server } = await open()
    await server.addContentType(tag)
    await server.close()
    const own = defineContentType({
      ...tag,
      attributes: { name: { type: 'string' }, size: { type: 'integer' } },
    })
    const { api, server: second } = await open({ contentTypes: [article, own] })
    const made = await api.post('/api/tags', { body: { data: { name: 'x', size: 3 } } })
    expect(made.body.data.attributes.size).toBe(3)
    await expect(second.addContentType(tag)).rejects.toThrow(DefinitionError)
  })

  it('is left out with an error in the log where code lost what it refers to', async () => {
    const { server } = await open()
    await server.addContentType(tag)
    await server.close()
    const { api, server: second } = await open({ contentTypes: [] })
    expect((await api.get('/api/tags')).status).toBe(404)
    const note = { ...tag, info: { singularName: 'note', pluralName: 'notes' }, attributes: {} }
    await second.addContentType(note)
    expect((await api.get('/api/notes')).status).toBe(200)
    expect(errors).toEqual(['A content-type that was added at run time is left out'])
  })

  it('is refused when its definition cannot be stored', async () => {
    const { server, api } = await open()
    const withFunction = { ...tag, attributes: { name: { type: 'string', default: () => 'x' } } }
    await expect(server.addContentType(withFunction)).rejects.toThrow(/tag: .*must be JSON/)
    expect((await api.get('/api/tags')).status).toBe(404)
  })
})

describe.skipIf(testEngine() === 'pglite')('Two servers on one database', () => {
  it('have the content-types that either of them adds', async () => {
    const [one, two] = [await open(), await open()]
    expect((await two.api.get('/api/tags')).status).toBe(404)
    await one.server.addContentType(tag)
    await expect.poll(statusOf(two.api, '/api/tags'), patience).toBe(200)
    const note = { ...tag, info: { singularName: 'note', pluralName: 'notes' } }
    await two.server.addContentType(note)
    await expect.poll(statusOf(one.api, '/api/notes'), patience).toBe(200)
    expect((await two.api.get('/api/attributes/tags')).body.names).toEqual(['name', 'article'])

    // A statement that the second server cached is made anew for the definition that replaces it.
    expect((await two.api.get('/api/tags?sort=name')).body.data).toEqual([])
    const colour = { ...tag, attributes: { ...tag.attributes, colour: { type: 'string' } } }
    await one.server.addContentType(colour)
    await one.api.post('/api/tags', { body: { data: { colour: 'red' } } })
    await expect
      .poll(async () => (await two.api.get('/api/tags?sort=name')).body.data[0]?.attributes.colour, patience)
      .toBe('red')
    expect(errors).toEqual([])
  })

  it('may add different ones, and the same one, at the same time', async () => {
    const [one, two] = [await open(), await open()]
    const named = (name: string) => ({ ...tag, info: { singularName: name, pluralName: `${name}s` } })
    await Promise.all([
      one.server.addContentType(named('apple')),
      two.server.addContentType(named('pear')),
      one.server.addContentType(tag),
      two.server.addContentType(tag),
    ])
    for (const { api } of [one, two])
      for (const at of ['/api/apples', '/api/pears', '/api/tags'])
        await expect.poll(statusOf(api, at), patience).toBe(200)
    const third = await open()
    for (const at of ['/api/apples', '/api/pears', '/api/tags'])
      expect((await third.api.get(at)).status).toBe(200)
    expect(errors).toEqual([])
  })

  it('have the ones whose notification was lost', async () => {
    const [one, two] = [await open(), await open()]
    await one.server.octavo.store.run(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octavo-listen' and datname = current_database()`,
    )
    // Before the second server listens again.
    await one.server.addContentType(tag)
    await expect.poll(statusOf(two.api, '/api/tags'), patience).toBe(200)
  })

  it('refuse one that the other cannot store, and neither has it', async () => {
    const [one, two] = [await open(), await open()]
    await one.server.addContentType(tag)
    await expect.poll(statusOf(two.api, '/api/tags'), patience).toBe(200)
    await expect(
      two.server.addContentType({ ...tag, attributes: { name: { type: 'integer' } } }),
    ).rejects.toThrow(SchemaError)
    expect((await one.api.get('/api/attributes/tags')).body.names).toEqual(['name', 'article'])
    expect((await two.api.get('/api/attributes/tags')).body.names).toEqual(['name', 'article'])
  })
})
