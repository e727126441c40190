/** The answers of writes, where a plugin narrows the entries that the caller may read. */
import { compare, definePlugin } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    text: { type: 'string' },
    owner: { type: 'string' },
    next: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
  },
} as const

/** Callers reach the notes of `ada`, and read those of `ben` in no answer of a write. */
const owned = definePlugin({
  name: 'owned',
  setup(host) {
    host.hook('query:node', ({ model, use }) => {
      const owner = model.attributes.get('owner')
      if (owner?.kind !== 'scalar') return undefined
      return use === 'answer' ? compare(owner, '$eq', 'ada') : compare(owner, '$in', ['ada', 'ben'])
    })
  },
})

describe('A plugin narrows the entries by their values, and', () => {
  let server: Server
  let api: Client
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createTestDatabase()
    drop = database.drop
    server = await createServer({
      contentTypes: [note],
      plugins: [owned],
      database: database.url,
      access: 'open',
    })
    api = createClient((await server.listen(0, '127.0.0.1')).url)
  })
  afterAll(async () => {
    await server.close()
    await drop()
  })

  const create = async (owner: string): Promise<number> => {
    const { body } = await api.post('/api/notes', { body: { data: { text: `of ${owner}`, owner } } })
    return body.data.id
  }

  it.each(['', '&populate=next'])(
    'a deletion answers with the entry as it was: fields=text%s',
    async (more) => {
      const id = await create('ada')
      const { status, body } = await api.delete(`/api/notes/${id}?fields=text${more}`)
      const attributes = { text: 'of ada', ...(more && { next: { data: null } }) }
      expect([status, body]).toEqual([200, { data: { id, attributes, meta: {} }, meta: {} }])
      expect((await api.get(`/api/notes/${id}`)).status).toBe(404)
    },
  )

  it('a deletion answers with the id alone for an entry that the caller may not read', async () => {
    const id = await create('ben')
    const { status, body } = await api.delete(`/api/notes/${id}?fields=text`)
    expect([status, body]).toEqual([200, { data: { id, attributes: {}, meta: {} }, meta: {} }])
    expect((await api.get(`/api/notes/${id}`)).status).toBe(404)
  })

  it('an update answers with the entry', async () => {
    const id = await create('ada')
    const { body } = await api.put(`/api/notes/${id}?fields=text`, { body: { data: { text: 'new' } } })
    expect(body.data.attributes).toEqual({ text: 'new' })
  })
})
