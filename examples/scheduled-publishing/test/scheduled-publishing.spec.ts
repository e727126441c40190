import { defineContentType } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scheduledPublishing } from '../src/scheduled-publishing.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', required: true } },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
const updates: unknown[] = []
const listener = definePlugin({
  name: 'listener',
  setup: (host) =>
    host.hook('entry:committed', ({ id, input }) => {
      if (input.publishedAt) updates.push(id)
    }),
})

beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [article],
    plugins: [draftPublish(), scheduledPublishing({ every: 0 }), listener],
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

it('Drafts are published when their time has come, once, with the events of an update', async () => {
  const add = (title: string, publishAt: string) =>
    api.post('/api/articles', { body: { data: { title, publishedAt: null, publishAt } } })
  await add('past', '2020-01-01T00:00:00.000Z')
  await add('future', '2999-01-01T00:00:00.000Z')
  const titles = async () => {
    const { body } = await api.get('/api/articles')
    return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
  }
  expect(await titles()).toEqual([])
  const printed: string[] = []
  const command = server.octavo.commands.get('publish due')
  updates.length = 0
  for (const _ of [1, 2])
    expect(await command?.run(server.octavo, new Set(), (line) => void printed.push(line))).toBe(true)
  expect(printed).toEqual(['1 published', '0 published'])
  expect(await titles()).toEqual(['past'])
  expect(updates).toEqual([1])
})
