/** The server's clock differs from the database's, which decides. The embedded database has the server's clock. */
import { defineContentType } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const post = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'post', pluralName: 'posts' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' } },
})

const postActions = ['find', 'findOne', 'create', 'publish'].map((name) => `api::post.post.${name}`)
const hour = 3_600_000

describe.skipIf(testEngine() === 'pglite').each([
  ['an hour ahead of', hour],
  ['an hour behind', -hour],
])('a server whose clock is %s the database', (_, offset) => {
  let close: () => Promise<void>
  let api: ReturnType<typeof createClient>
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offset })
    const database = await createTestDatabase()
    const server = await createServer({
      contentTypes: [post],
      plugins: [
        draftPublish({ actions: true }),
        usersPermissions({
          jwt: { secret: 'a secret of this test and of no other', expiresIn: 600 },
          permissions: {
            public: [...postActions, 'plugin::users-permissions.auth.register'],
            authenticated: ['plugin::users-permissions.user.me'],
          },
        }),
      ],
      database: database.url,
    })
    const { url } = await server.listen(0, '127.0.0.1')
    api = createClient(url)
    close = () => server.close().then(() => database.drop())
  })
  afterEach(async () => {
    vi.useRealTimers()
    await close()
  })

  const distance = (one: string, other: string): number => Math.abs(Date.parse(one) - Date.parse(other))

  it('serves a new entry at once, and gives it one time', async () => {
    const { body } = await api.post('/api/posts', { body: { data: { title: 'a' } } })
    expect((await api.get(`/api/posts/${body.data.id}`)).status).toBe(200)
    expect((await api.get('/api/posts')).body.data).toHaveLength(1)
    const { publishedAt, createdAt } = body.data.attributes
    expect(distance(publishedAt, createdAt)).toBeLessThan(hour / 2)
  })

  it('serves an entry after the action publish', async () => {
    const { body } = await api.post('/api/posts', { body: { data: { title: 'a', publishedAt: null } } })
    expect((await api.post(`/api/posts/${body.data.id}/actions/publish`)).status).toBe(200)
    expect((await api.get(`/api/posts/${body.data.id}`)).status).toBe(200)
  })

  it('gives tokens that a server with the right clock accepts', async () => {
    const registration = { username: 'ada', email: 'ada@example.com', password: 'a long password' }
    const { body } = await api.post('/api/auth/local/register', { body: registration })
    vi.useRealTimers()
    const { iat, exp } = JSON.parse(Buffer.from(body.jwt.split('.')[1], 'base64url').toString())
    expect(Math.abs(iat * 1_000 - Date.now())).toBeLessThan(hour / 2)
    expect(exp * 1_000).toBeGreaterThan(Date.now())
    const headers = { authorization: `Bearer ${body.jwt}` }
    expect((await api.get('/api/users/me', { headers })).status).toBe(200)
  })
})
