import { defineContentType } from '@octavo/core'
import { definePlugin, defineState } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog } from '../src/audit-log.ts'

const user = defineState<string>('user')
const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string', required: true }, secret: { type: 'password' } },
})
const byHeader = definePlugin({
  name: 'by-header',
  setup: (host) => host.hook('server:authenticate', (context) => user.with(context.get('X-User'))),
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [article],
    plugins: [auditLog({ who: (state) => user.of(state) }), byHeader],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
})
afterAll(async () => {
  await server.close()
  await drop()
})

const ada = { headers: { 'x-user': 'ada' } }

describe('The audit log', () => {
  it('notes each change with its caller, and no values', async () => {
    await api.post('/api/articles', { ...ada, body: { data: { title: 'One', secret: 'hidden-away' } } })
    await api.put('/api/articles/1', {
      headers: { 'x-user': 'ben' },
      body: { data: { title: 'Two', other: 1 } },
    })
    await server.octavo.entries('article').delete(1)
    const { body, text } = await api.get('/api/audit?entry=1')
    const shared = { id: expect.any(Number), at: expect.any(String), type: 'api::article.article', entry: 1 }
    expect(body.data).toEqual([
      { ...shared, who: null, action: 'delete', attributes: [] },
      { ...shared, who: 'ben', action: 'update', attributes: ['title'] },
      { ...shared, who: 'ada', action: 'create', attributes: ['title', 'secret'] },
    ])
    expect(text).not.toContain('hidden-away')
  })

  it('has no note of a change that was refused or rolled back', async () => {
    await api.post('/api/articles', { ...ada, body: { data: {} } })
    const work = server.octavo.transaction(async (tx) => {
      await tx.entries('article').create({ title: 'Undone' })
      throw new Error('undone')
    })
    await expect(work).rejects.toThrow('undone')
    expect((await api.get('/api/audit')).body.data).toHaveLength(3)
  })
})
