import { defineContentType } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenant } from '../src/tenant.ts'

const divided = { pluginOptions: { tenant: { divided: true } } }
const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  ...divided,
  attributes: {
    text: { type: 'string' },
    folder: { type: 'relation', relation: 'manyToOne', target: 'api::folder.folder', inversedBy: 'notes' },
  },
})
const folder = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'folder', pluralName: 'folders' },
  attributes: {
    name: { type: 'string' },
    notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'folder' },
  },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
const as = (name: string) => ({ headers: { 'x-tenant': name } })

beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [note, folder],
    plugins: [tenant({ tenants: ['north', 'south'] })],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  await api.post('/api/folders', { body: { data: { name: 'shared' } } })
  for (const [name, text] of [
    ['north', 'n1'],
    ['north', 'n2'],
    ['south', 's1'],
  ] as const) {
    await api.post('/api/notes', { ...as(name), body: { data: { text, folder: 1, tenant: 'south' } } })
  }
})
afterAll(async () => {
  await server.close()
  await drop()
})

const texts = (body: { data: readonly { attributes: { text: string } }[] }) =>
  body.data.map(({ attributes }) => attributes.text)

describe('A tenant', () => {
  it('sees its own entries only, in lists, by id, in totals and in populated relations', async () => {
    const list = await api.get('/api/notes?sort=id', as('north'))
    expect([texts(list.body), list.body.meta.pagination.total]).toEqual([['n1', 'n2'], 2])
    expect((await api.get('/api/notes/3', as('north'))).status).toBe(404)
    const { body } = await api.get('/api/folders?populate[notes][sort]=id', as('south'))
    expect(texts(body.data[0].attributes.notes)).toEqual(['s1'])
    expect((await api.get('/api/folders?filters[notes][text]=s1', as('north'))).body.data).toEqual([])
  })

  it('changes and deletes its own entries only, and cannot give them away', async () => {
    expect((await api.put('/api/notes/3', { ...as('north'), body: { data: { text: 'mine' } } })).status).toBe(
      404,
    )
    expect((await api.delete('/api/notes/3', as('north'))).status).toBe(404)
    const { body } = await api.put('/api/notes/1', {
      ...as('north'),
      body: { data: { text: 'n1', tenant: 'south' } },
    })
    expect(body.data.attributes.tenant).toBe('north')
  })

  it('that does not exist is refused', async () => {
    expect((await api.get('/api/notes', as('west'))).status).toBe(401)
  })

  it('may read other tenants with an option, and refuses a wrong value of it', async () => {
    expect((await api.get('/api/notes?allTenants=true', as('north'))).body.meta.pagination.total).toBe(3)
    const { status, body } = await api.get('/api/notes?allTenants=maybe', as('north'))
    expect([status, body.error.message]).toEqual([400, 'allTenants: expected true or false, not "maybe".'])
  })
})

describe('The plugin', () => {
  it('adds a type of attribute that checks its values', async () => {
    const { status, body } = await api.post('/api/notes', { body: { data: { text: 'x', tenant: 'west' } } })
    expect([status, body.error.details.errors[0].path]).toEqual([400, ['tenant']])
  })

  it('adds a route', async () => {
    expect((await api.get('/api/tenants')).body).toEqual({
      tenants: ['north', 'south'],
      types: ['api::note.note'],
    })
  })
})
