/** The events of deletes that are turned into updates: webhooks and the feed of changes. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineContentType, unrestricted } from '@octavo/core'
import { changes } from '@octavo/plugin-changes'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softDelete } from '../src/soft-delete.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  pluginOptions: { softDelete: true },
  attributes: { title: { type: 'string' }, open: { type: 'boolean' } },
})

const action = (name: string): string => `api::article.article.${name}`
const feed = 'plugin::changes.change.find'

interface Delivery {
  readonly event: string
  readonly entry: { readonly id: number; readonly title: string }
}

/** A receiver of webhooks on loopback. */
async function startReceiver() {
  const received: Delivery[] = []
  const http = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(204).end()
    http.emit('delivered')
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    /** Waits for the delivery of an event about an entry. */
    of: async (event: string, id: number): Promise<Delivery> => {
      for (;;) {
        const found = received.find((one) => one.event === event && one.entry.id === id)
        if (found) return found
        await once(http, 'delivered')
      }
    },
    close: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

async function open() {
  const database = await createTestDatabase()
  const receiver = await startReceiver()
  const server = await createServer({
    contentTypes: { article },
    plugins: [
      softDelete(),
      usersPermissions({
        permissions: {
          public: [feed, { action: action('find'), where: { open: true } }],
          editor: [feed, ...['find', 'create', 'update', 'delete', 'restore'].map(action)],
        },
      }),
      changes(),
      webhooks({
        webhooks: [
          {
            name: 'site',
            url: receiver.url,
            secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
            privateAddresses: true,
          },
        ],
        poll: 20,
      }),
    ],
    database: database.url,
  })
  const { octavo } = server
  const state = unrestricted('fills the test')
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  const [role] = (
    await octavo.entries('plugin::users-permissions.role', state).find({ filters: { type: 'editor' } })
  ).data
  await octavo.entries('plugin::users-permissions.user', state).create({
    username: 'editor',
    email: 'editor@example.org',
    password: 'Password123',
    provider: 'local',
    confirmed: true,
    role: role?.id,
  })
  const login = await api.post('/api/auth/local', {
    body: { identifier: 'editor', password: 'Password123' },
  })
  const token: string = login.body.jwt
  const changesSince = async (cursor: string, asEditor: boolean): Promise<readonly string[]> => {
    const { status, body } = await api.get(`/api/_changes?since=${cursor}`, asEditor ? { token } : {})
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.map(({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`)
  }
  return {
    receiver,
    octavo,
    api,
    token,
    state,
    cursor: async (): Promise<string> => (await api.get('/api/_changes', { token })).body.meta.cursor,
    changesSince,
    create: async (data: object): Promise<number> =>
      (await api.post('/api/articles', { body: { data }, token })).body.data.id,
    close: async () => {
      await server.close()
      await receiver.close()
      await database.drop()
    },
  }
}

let site: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  site = await open()
})
afterAll(() => site.close())

/** The number of rows of the outbox by event. */
async function outbox(): Promise<Readonly<Record<string, number>>> {
  const lines: string[] = []
  const { octavo } = site
  await octavo.commands.get('webhooks list')?.run(octavo, new Set(), (line) => void lines.push(line), [])
  const counts: Record<string, number> = {}
  for (const [event] of lines.flatMap((line) => [/entry\.\w+/.exec(line) ?? []]))
    if (event !== undefined) counts[event] = (counts[event] ?? 0) + 1
  return counts
}

describe('A delete that is turned into an update', () => {
  it('is the event entry.delete of webhooks, with the entry as it was, and no entry.update', async () => {
    const id = await site.create({ title: 'Gone', open: true })
    const before = await outbox()
    expect((await site.api.delete(`/api/articles/${id}`, { token: site.token })).status).toBe(200)
    expect(await outbox()).toEqual({ ...before, 'entry.delete': (before['entry.delete'] ?? 0) + 1 })
    expect(await site.receiver.of('entry.delete', id)).toMatchObject({
      event: 'entry.delete',
      model: 'article',
      entry: { id, title: 'Gone' },
    })
    expect(await site.receiver.of('entry.delete', id)).not.toHaveProperty('entry.deletedAt')
  })

  it('is an update of webhooks when the entry is restored', async () => {
    const id = await site.create({ title: 'Back', open: true })
    await site.api.delete(`/api/articles/${id}`, { token: site.token })
    const before = await outbox()
    expect((await site.api.post(`/api/articles/${id}/restore`, { token: site.token })).status).toBe(200)
    expect(await outbox()).toEqual({ ...before, 'entry.update': (before['entry.update'] ?? 0) + 1 })
    expect((await site.receiver.of('entry.update', id)).entry.title).toBe('Back')
  })

  it('is the change deleted, to all who could read the entry, and updated when it is restored', async () => {
    const cursor = await site.cursor()
    const open = await site.create({ title: 'Open', open: true })
    const closed = await site.create({ title: 'Closed', open: false })
    for (const id of [open, closed]) await site.api.delete(`/api/articles/${id}`, { token: site.token })
    expect(await site.changesSince(cursor, true)).toEqual([`deleted ${open}`, `deleted ${closed}`])
    // The entry remains, so the rights of the caller on it are known.
    expect(await site.changesSince(cursor, false)).toEqual([`deleted ${open}`])
    const later = await site.cursor()
    await site.api.post(`/api/articles/${open}/restore`, { token: site.token })
    expect(await site.changesSince(later, false)).toEqual([`updated ${open}`])
  })

  it('has its event in programs as well, and none when its transaction is undone', async () => {
    const { octavo, state } = site
    const id = await site.create({ title: 'Program', open: true })
    const [cursor, before] = [await site.cursor(), await outbox()]
    const work = octavo.transaction(async (tx) => {
      await tx.entries('article').delete(id)
      throw new Error('undo')
    }, state)
    await expect(work).rejects.toThrow('undo')
    expect([await site.changesSince(cursor, true), await outbox()]).toEqual([[], before])
    await octavo.entries('article', state).delete(id)
    expect(await site.changesSince(cursor, false)).toEqual([`deleted ${id}`])
    expect((await outbox())['entry.delete']).toBe((before['entry.delete'] ?? 0) + 1)
  })
})
