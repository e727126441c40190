import { defineContentType } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { slugHistory } from '../src/slug-history.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' }, slug: { type: 'uid', targetField: 'title' } },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [article],
    plugins: [slugHistory()],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  const articles = server.octavo.entries('article')
  await articles.create({ title: 'One', slug: 'one' })
  await articles.update(1, { slug: 'first' })
  await articles.update(1, { slug: 'very-first' })
})
afterAll(async () => {
  await server.close()
  await drop()
})

const bySlug = (slug: string) => api.get(`/api/articles/by-slug/${slug}`)

describe('Slugs', () => {
  it('find the entry, with the answer of its own endpoint', async () => {
    const { status, text } = await api.get('/api/articles/by-slug/very-first?fields=title')
    expect([status, text]).toEqual([200, (await api.get('/api/articles/1?fields=title')).text])
  })

  it('of the past are redirected to the present one', async () => {
    for (const slug of ['one', 'first']) {
      const { status, headers } = await bySlug(slug)
      expect([status, headers.get('location')]).toEqual([301, '/api/articles/by-slug/very-first'])
    }
    expect((await bySlug('nothing')).status).toBe(404)
  })

  it('lead to the entry that has them now, and to nothing when it was deleted', async () => {
    const articles = server.octavo.entries('article')
    await articles.create({ title: 'Other', slug: 'one' })
    expect((await bySlug('one')).body.data.id).toBe(2)
    await articles.update(1, { slug: 'first' })
    expect((await bySlug('first')).body.data.id).toBe(1)
    await articles.delete(1)
    expect((await bySlug('very-first')).status).toBe(404)
  })
})
