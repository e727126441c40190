/** Soft delete beside unique values and locales. */
import { defineContentType } from '@octavo/core'
import { i18n } from '@octavo/plugin-i18n'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softDelete } from '../src/soft-delete.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  pluginOptions: { softDelete: true, i18n: { localized: true } },
  attributes: {
    title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    slug: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } },
    views: { type: 'integer' },
  },
})
const tag = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags' },
  pluginOptions: { softDelete: true },
  attributes: { name: { type: 'string', unique: true } },
})
const actionsOf = (uid: string) =>
  ['find', 'findOne', 'create', 'update', 'delete', 'restore'].map((action) => `${uid}.${action}`)

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [article, tag],
    plugins: [
      usersPermissions({
        jwt: { secret: 'thirty-two characters, or somewhat more' },
        permissions: {
          public: [
            ...actionsOf('api::article.article'),
            'api::article.article.createLocalization',
            ...actionsOf('api::tag.tag'),
          ],
        },
      }),
      softDelete(),
      i18n({ locales: ['en', 'fr'] }),
    ],
    database: database.url,
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
})
afterAll(async () => {
  await server.close()
  await drop()
})

const create = async (plural: string, data: object) =>
  (await api.post(`/api/${plural}`, { body: { data } })).status

describe('Soft delete beside unique values', () => {
  it('frees the values of a deleted entry, any number of times', async () => {
    for (const id of [1, 2]) {
      expect(await create('tags', { name: 'new' })).toBe(200)
      expect(await create('tags', { name: 'new' })).toBe(400)
      expect((await api.delete(`/api/tags/${id}`)).status).toBe(200)
    }
  })

  it('restores an entry unless its values were taken since', async () => {
    expect((await api.post('/api/tags/1/restore')).status).toBe(200)
    const refused = await api.post('/api/tags/2/restore')
    expect([refused.status, refused.body.error.name]).toEqual([400, 'ValidationError'])
    expect((await api.get('/api/tags')).body.data).toHaveLength(1)
  })
})

describe('Soft delete beside locales', () => {
  it('has unique values in each locale, and shares values with deleted siblings', async () => {
    expect(await create('articles', { title: 'One', slug: 'one', views: 1 })).toBe(200)
    const made = await api.post('/api/articles/1/localizations', {
      body: { locale: 'fr', title: 'Un', slug: 'one' },
    })
    expect(made.status).toBe(200)
    expect(await create('articles', { title: 'Other', slug: 'one' })).toBe(400)
    const french = made.body.id
    expect((await api.delete(`/api/articles/${french}`)).status).toBe(200)
    // The deleted sibling is no obstacle.
    const written = await api.put('/api/articles/1', { body: { data: { views: 2 } } })
    expect([written.status, written.body.error]).toEqual([200, undefined])
    expect((await api.post(`/api/articles/${french}/restore`)).status).toBe(200)
    const both = await api.get('/api/articles?locale=all&sort=id')
    expect(
      both.body.data.map(({ attributes }: { attributes: { views: number } }) => attributes.views),
    ).toEqual([2, 2])
  })
})
