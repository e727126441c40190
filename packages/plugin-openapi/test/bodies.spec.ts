import { silentLogger, unrestricted } from '@octavo/core'
import { i18n } from '@octavo/plugin-i18n'
import { openapi } from '@octavo/plugin-openapi'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Description } from './description.ts'

const book = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', required: true },
    subtitle: { type: 'string' },
    price: { type: 'integer' },
    code: { type: 'string', unique: true, private: true },
    note: { type: 'string', private: true },
    shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf' },
  },
} as const
const uid = 'api::book.book'
const shelf = {
  kind: 'collectionType',
  info: { singularName: 'shelf', pluralName: 'shelves' },
  attributes: { name: { type: 'string' }, books: { type: 'integer' } },
} as const

const roles = {
  public: ['find', 'findOne'].map((action) => `${uid}.${action}`),
  writer: [
    ...['find', 'findOne'].map((action) => `${uid}.${action}`),
    { action: `${uid}.create`, fields: ['title', 'price'] },
    { action: `${uid}.update`, fields: ['price', 'note'] },
  ],
  editor: ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `${uid}.${action}`),
  remover: [`${uid}.delete`],
  manager: [
    'plugin::users-permissions.user.find',
    { action: 'plugin::users-permissions.user.create', fields: ['username', 'email'] },
  ],
}

describe('Bodies in GET /api/openapi.json of a role', () => {
  let api: Client
  let close: () => Promise<void>
  const tokens = new Map<string, string>()

  beforeAll(async () => {
    const database = await createTestDatabase()
    const server: Server = await createServer({
      database: database.url,
      logger: silentLogger,
      contentTypes: [book, shelf],
      api: { rest: { bulk: true } },
      rateLimit: false,
      plugins: [i18n({ locales: ['en', 'fr'] }), usersPermissions({ permissions: roles }), openapi()],
    })
    const state = unrestricted('fills the test')
    api = createClient((await server.listen(0, '127.0.0.1')).url)
    for (const name of Object.keys(roles).filter((role) => role !== 'public')) {
      const [role] = (await server.octavo.entries('role', state).find({ filters: { type: name } })).data
      await server.octavo.entries('user', state).create({
        username: name,
        email: `${name}@example.org`,
        password: 'Password123',
        provider: 'local',
        confirmed: true,
        role: role?.id,
      })
      const login = { identifier: name, password: 'Password123' }
      tokens.set(name, (await api.post('/api/auth/local', { body: login })).body.jwt)
    }
    close = async () => {
      await server.close()
      await database.drop()
    }
  })
  afterAll(() => close())

  const schemasOf = async (role: string): Promise<Description['components']['schemas']> =>
    ((await api.get('/api/openapi.json', { token: tokens.get(role) })).body as Description).components.schemas
  const propertiesOf = async (role: string, schema: string): Promise<readonly string[] | undefined> => {
    const found = (await schemasOf(role))[schema]
    return found && Object.keys(found.properties ?? {})
  }

  it('have the fields of the permission for the action, and only these are written', async () => {
    expect(await propertiesOf('writer', 'BookCreate')).toEqual(['title', 'price'])
    expect(await propertiesOf('writer', 'BookUpdate')).toEqual(['price', 'note'])

    const token = tokens.get('writer')
    const everything = { title: 'Emma', subtitle: 'A novel', price: 7, note: 'first' }
    const { id } = (await api.post('/api/books', { token, body: { data: everything } })).body.data
    const stored = async () => (await api.get(`/api/books/${id}`)).body.data.attributes
    expect(await stored()).toMatchObject({ title: 'Emma', price: 7, subtitle: null })
    const changed = { title: 'Changed', subtitle: 'Changed', price: 8 }
    expect((await api.put(`/api/books/${id}`, { token, body: { data: changed } })).status).toBe(200)
    expect(await stored()).toMatchObject({ title: 'Emma', price: 8, subtitle: null })
  })

  it('have all attributes without limits, except unique ones that nobody may read', async () => {
    const names = await propertiesOf('editor', 'BookCreate')
    expect(names).toEqual(['title', 'subtitle', 'price', 'note', 'shelf', 'locale'])
  })

  it('require only attributes that the role may write', async () => {
    expect((await schemasOf('writer')).BookCreate).toMatchObject({ required: ['title'] })
    expect((await schemasOf('writer')).BookUpdate).not.toHaveProperty('required')
  })

  it('of a bulk request have the parts that the role may use', async () => {
    const partsOf = async (role: string): Promise<readonly string[]> => {
      const { body } = await api.get('/api/openapi.json', { token: tokens.get(role) })
      const operation = (body as Description).paths['/api/books/actions/bulk']?.post
      const schema = operation?.requestBody?.content['application/json']?.schema as {
        readonly properties: object
      }
      return Object.keys(schema.properties)
    }
    expect(await partsOf('remover')).toEqual(['delete'])
    expect(await partsOf('writer')).toEqual(['create', 'update'])
    expect(await partsOf('editor')).toEqual(['create', 'update', 'delete'])
    expect(await propertiesOf('remover', 'BookUpdate')).toBeUndefined()
  })

  it('of users have the fields of the permission', async () => {
    expect(await propertiesOf('manager', 'UserCreate')).toEqual(['username', 'email'])
  })

  it('have a description of its own for each set of fields', async () => {
    expect(await propertiesOf('writer', 'BookCreate')).not.toEqual(await propertiesOf('editor', 'BookCreate'))
  })
})
