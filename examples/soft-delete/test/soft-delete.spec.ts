import { defineContentType } from '@octavo/core'
import { definePlugin, type WriteEvent } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softDelete } from '../src/soft-delete.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  pluginOptions: { softDelete: true },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'string', unique: true },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    cover: { type: 'relation', relation: 'oneToOne', target: 'api::cover.cover', inversedBy: 'article' },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})
const cover = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'cover', pluralName: 'covers' },
  attributes: {
    article: { type: 'relation', relation: 'oneToOne', target: 'api::article.article', mappedBy: 'cover' },
  },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
const events: string[] = []
const listener = definePlugin({
  name: 'listener',
  setup(host) {
    const note =
      (moment: string) =>
      ({ action, id, remains }: Omit<WriteEvent, 'entries'>) =>
        void events.push(`${moment} ${action} ${id}${remains ? ', remains' : ''}`)
    host.hook('entry:beforeDelete', note('before'))
    host.hook('entry:afterDelete', note('after'))
    host.hook('entry:committed', note('committed'))
  },
})

beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [article, author, cover],
    plugins: [softDelete(), listener],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  await api.post('/api/authors', { body: { data: { name: 'Ada' } } })
  await api.post('/api/covers', { body: { data: {} } })
  for (const title of ['one', 'two', 'three', 'four', 'five'])
    await api.post('/api/articles', { body: { data: { title, slug: title, author: 1 } } })
  await api.put('/api/articles/1', { body: { data: { cover: 1 } } })
})
afterAll(async () => {
  await server.close()
  await drop()
})

const titles = async (query: string): Promise<readonly string[]> => {
  const { body } = await api.get(`/api/articles?sort=id&${query}`)
  return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
}

describe('Soft delete', () => {
  it('answers a DELETE with the entry and has the events of a delete, and the entry is gone', async () => {
    events.length = 0
    const { status, body } = await api.delete('/api/articles/1')
    expect([status, body.data.attributes.title]).toEqual([200, 'one'])
    expect(events).toEqual(['before delete 1', 'after delete 1, remains', 'committed delete 1, remains'])
    expect((await api.get('/api/articles/1')).status).toBe(404)
    expect((await api.delete('/api/articles/1')).status).toBe(404)
    expect((await api.put('/api/articles/1', { body: { data: { title: 'x' } } })).status).toBe(404)
  })

  it('deletes softly in programs and bulk deletes as well', async () => {
    const deleted = await server.octavo.entries('article').delete(2)
    expect(deleted.attributes.title).toBe('two')
    await expect(server.octavo.entries('article').delete(2)).rejects.toThrow('Not Found')
    const type = server.registry.contentType('api::article.article')
    const result = await server.octavo.bulk({ type, delete: [3], state: {} })
    expect(result.deleted).toEqual([3])
    await expect(server.octavo.bulk({ type, delete: [3], state: {} })).rejects.toThrow('Not Found')
  })

  it('hides deleted entries in lists, totals, populated relations, counts, filters and relations of a body', async () => {
    expect(await titles('')).toEqual(['four', 'five'])
    expect((await api.get('/api/articles')).body.meta.pagination.total).toBe(2)
    const { body } = await api.get('/api/authors/1?populate=articles')
    expect(body.data.attributes.articles.data.map(({ id }: { id: number }) => id)).toEqual([4, 5])
    expect((await api.get('/api/covers/1?populate=article')).body.data.attributes.article.data).toBeNull()
    expect((await api.get('/api/authors?filters[articles][title]=one')).body.data).toEqual([])
    expect((await api.get('/api/authors?filters[articles][title]=four')).body.data).toHaveLength(1)
    expect(JSON.stringify((await api.get('/api/articles/4')).body)).not.toContain('deletedAt')
    expect((await api.get('/api/articles?filters[deletedAt][$notNull]=true')).status).toBe(400)
    const named = await api.put('/api/authors/1', { body: { data: { articles: { connect: [1] } } } })
    expect(named.status).toBe(400)
  })

  it('a write may take the place of a deleted entry in a one-to-one relation', async () => {
    const { status } = await api.put('/api/articles/4', { body: { data: { cover: 1 } } })
    expect(status).toBe(200)
  })

  it('clients can neither delete nor restore by writing the attribute', async () => {
    await api.put('/api/articles/4', { body: { data: { deletedAt: '2020-01-01T00:00:00.000Z' } } })
    expect((await api.get('/api/articles/4')).status).toBe(200)
  })

  it('restores an entry by a route, with its relations', async () => {
    const { status, body } = await api.post('/api/articles/3/restore')
    expect([status, body.data.attributes.title]).toEqual([200, 'three'])
    expect(await titles('filters[author][name]=Ada')).toEqual(['three', 'four', 'five'])
    expect((await api.post('/api/articles/99/restore')).status).toBe(404)
    expect((await api.post('/api/authors/1/restore')).status).toBe(404)
  })

  it('deletes entries of other types', async () => {
    await api.delete('/api/covers/1')
    const rows = await server.octavo.store.transaction((tx) =>
      tx.rows(server.registry.contentType('api::cover.cover')).find({ select: ['id'] }),
    )
    expect(rows).toEqual([])
  })
})
