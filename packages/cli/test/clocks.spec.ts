/** The server's clock differs from the database's, which decides. The embedded database has the server's clock. */
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineContentType } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
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
  let receiver: Server
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offset })
    const database = await createTestDatabase()
    receiver = createHttpServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const site = {
      name: 'site',
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, // it listens on a port
      secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
      privateAddresses: true,
    }
    const server = await createServer({
      contentTypes: [post],
      plugins: [
        draftPublish({ actions: true }),
        webhooks({ webhooks: [site] }),
        usersPermissions({
          jwt: { secret: 'a secret of this test and of no other', expiresIn: 600 },
          publicUrl: 'https://cms.example',
          providers: {
            github: {
              preset: 'github',
              clientId: 'id',
              clientSecret: 'secret',
              callbacks: ['https://site.example/'],
            },
          },
          permissions: {
            public: [
              ...postActions,
              'plugin::users-permissions.auth.register',
              'plugin::users-permissions.auth.connect',
            ],
            authenticated: ['plugin::users-permissions.user.me'],
          },
        }),
      ],
      database: database.url,
    })
    const { url } = await server.listen(0, '127.0.0.1')
    api = createClient(url)
    close = async () => {
      await server.close()
      receiver.close()
      await database.drop()
    }
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

  it('sends webhooks with a timestamp that a receiver with the right clock accepts', async () => {
    const arriving = once(receiver, 'request')
    await api.post('/api/posts', { body: { data: { title: 'a' } } })
    const [{ headers }] = (await arriving) as [IncomingMessage]
    vi.useRealTimers()
    const timestamp = Number(headers['webhook-timestamp']) * 1_000
    expect(Math.abs(timestamp - Date.now())).toBeLessThan(hour / 2)
  })

  it('begins a login at a provider with a cookie that a browser with the right clock returns', async () => {
    const { headers } = await api.get('/api/connect/github?callback=https://site.example/')
    const [, expires = ''] = /expires=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? []
    vi.useRealTimers()
    expect(Date.parse(expires)).toBeGreaterThan(Date.now())
    expect(Date.parse(expires)).toBeLessThan(Date.now() + hour)
  })
})
