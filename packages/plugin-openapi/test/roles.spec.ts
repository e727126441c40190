import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { silentLogger, unrestricted } from '@octavo/core'
import { openapi } from '@octavo/plugin-openapi'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RecordedServer, recordedServer } from './conformance.ts'
import type { Description } from './description.ts'

const operationsOf = ({ paths }: Description): readonly string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  )

describe('GET /api/openapi.json of a role', () => {
  let site: RecordedServer
  let api: Client
  let jwt: string
  let everything: readonly string[]

  beforeAll(async () => {
    site = await recordedServer()
    api = createClient(site.url)
    const login = { identifier: 'reader', password: 'Password123' }
    jwt = (await api.post('/api/auth/local', { body: login })).body.jwt
    const all = await recordedServer({ openapi: { access: 'all' } })
    everything = operationsOf((await createClient(all.url).get('/api/openapi.json')).body)
    await all.close()
  })
  afterAll(() => site.close())

  const describedTo = async (token?: string): Promise<readonly string[]> =>
    operationsOf((await api.get('/api/openapi.json', { token })).body)

  it.each(['public', 'authenticated'])(
    'has exactly the operations that are not refused with 403: %s',
    async (role) => {
      const token = role === 'public' ? undefined : jwt
      const described = new Set(await describedTo(token))
      const mistakes: string[] = []
      for (const operation of everything) {
        const [method = '', path = ''] = operation.split(' ')
        const { status } = await api.request(method, path.replaceAll(/\{\w+\}/g, '999999'), {
          token,
          ...(method !== 'GET' && { body: {} }),
        })
        if ((status === 403) === described.has(operation)) mistakes.push(`${operation}: ${status}`)
      }
      expect(described.size).toBeGreaterThan(15)
      expect(described.size).toBeLessThan(everything.length)
      expect(mistakes).toEqual([])
    },
  )

  it('has no schemas of endpoints that only others may use', async () => {
    const { body, text } = await api.get('/api/openapi.json')
    expect(Object.keys((body as Description).components.schemas)).toContain('ArticleEntry')
    for (const name of ['Profile', 'ArticleCreate', 'PermissionTree', 'internalNote', 'up_users'])
      expect(text).not.toContain(name)
  })

  /** `fetch` would send `no-cache`. */
  const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number | undefined> => {
    const [response] = (await once(
      request(`${site.url}/api/openapi.json`, { headers }).end(),
      'response',
    )) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }

  it('is private, and has an ETag for each role', async () => {
    const first = await api.get('/api/openapi.json')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect(first.headers.get('vary')).toContain('Authorization')
    const etag = first.headers.get('etag') ?? ''
    const authorization = `Bearer ${jwt}`
    expect(await statusOf({ 'if-none-match': etag })).toBe(304)
    expect(await statusOf({ 'if-none-match': etag, authorization })).toBe(200)
  })

  it('is refused with 401 for a token that is not valid', async () => {
    expect((await api.get('/api/openapi.json', { token: 'nonsense' })).status).toBe(401)
  })
})

describe('GET /api/openapi.json of a role that may read some attributes', () => {
  let server: Server
  let api: Client
  let close: () => Promise<void>

  beforeAll(async () => {
    const database = await createTestDatabase()
    server = await createServer({
      database: database.url,
      logger: silentLogger,
      contentTypes: [
        {
          kind: 'collectionType',
          info: { singularName: 'book', pluralName: 'books', description: 'A printed book.' },
          attributes: {
            title: { type: 'string', required: true, description: 'As on the cover.', example: 'Emma' },
            price: { type: 'decimal' },
            shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf' },
          },
        },
        {
          kind: 'collectionType',
          info: { singularName: 'shelf', pluralName: 'shelves' },
          attributes: { name: { type: 'string' } },
        },
      ],
      plugins: [
        usersPermissions({
          permissions: {
            public: [{ action: 'api::book.book.find', fields: ['title', 'shelf'] }],
            owner: ['api::book.book.find', 'api::shelf.shelf.find'],
          },
        }),
        openapi({
          info: { title: 'Books', version: '3.0.0', description: 'All *books*.' },
          servers: ['https://api.example.org'],
        }),
      ],
    })
    const state = unrestricted('fills the test')
    const [role] = (await server.octavo.entries('role', state).find({ filters: { type: 'owner' } })).data
    await server.octavo.entries('user', state).create({
      username: 'ada',
      email: 'ada@example.org',
      password: 'Password123',
      provider: 'local',
      confirmed: true,
      role: role?.id,
    })
    api = createClient((await server.listen(0, '127.0.0.1')).url)
    close = async () => {
      await server.close()
      await database.drop()
    }
  })
  afterAll(() => close())

  const attributesFor = async (token?: string): Promise<readonly string[]> => {
    const { body } = await api.get('/api/openapi.json', { token })
    return Object.keys((body as Description).components.schemas.BookAttributes?.properties ?? {})
  }

  it('has these attributes only, and no relation to entries that the caller may not find', async () => {
    expect(await attributesFor()).toEqual(['title'])
    expect(await attributesFor(await tokenOfAda())).toEqual([
      'title',
      'price',
      'shelf',
      'createdAt',
      'updatedAt',
    ])
  })

  it('has the descriptions and examples of the definitions, and the head of the options', async () => {
    const { body } = await api.get('/api/openapi.json')
    expect(body.info).toEqual({ title: 'Books', version: '3.0.0', description: 'All *books*.' })
    expect(body.servers).toEqual([{ url: 'https://api.example.org' }])
    expect(body.tags[0]).toEqual({ name: 'book', description: 'A printed book.' })
    expect(body.components.schemas.BookAttributes).toMatchObject({
      description: 'A printed book.',
      properties: { title: { type: 'string', description: 'As on the cover.', examples: ['Emma'] } },
    })
  })

  it('has a content-type that is added while the server runs', async () => {
    await server.addContentType({
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes' },
      attributes: { text: { type: 'string' } },
    })
    const token = await tokenOfAda()
    expect(operationsOf((await api.get('/api/openapi.json', { token })).body)).not.toContain('GET /api/notes')
    const all = server.endpoints().map(({ method, path }) => `${method} ${path}`)
    expect(all).toContain('GET /api/notes')
  })

  const tokenOfAda = async (): Promise<string> => {
    const login = { identifier: 'ada', password: 'Password123' }
    return (await api.post('/api/auth/local', { body: login })).body.jwt as string
  }
})
