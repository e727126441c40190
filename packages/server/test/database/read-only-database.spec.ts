/** Conditions of the database that are none of the request's doing: 503, each with its own code. */
import { defineContentType } from '@octavo/core'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { describe, expect, it } from 'vitest'

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'text' } },
})

/** Serves a database whose sessions have these settings. */
async function serveWith(
  settings: readonly string[],
  use: (api: ReturnType<typeof createClient>) => Promise<void>,
) {
  const database = await createTestDatabase()
  const options = { contentTypes: [note], database: database.url, access: 'open' } as const
  const before = await createServer(options)
  await before.octavo.entries('note').create({ text: 'one' })
  const name = new URL(database.url).pathname.slice(1)
  for (const setting of settings) await before.octavo.store.query(`alter database ${name} ${setting}`)
  await before.close()
  const server = await createServer(options)
  await use(createClient((await server.listen(0, '127.0.0.1')).url))
  await server.close()
  await database.drop()
}

describe.runIf(testEngine() === 'postgresql')('A database that', () => {
  it('is read-only answers reads, and writes are 503', async () => {
    await serveWith(['set default_transaction_read_only to on'], async (api) => {
      expect((await api.get('/api/notes/1')).status).toBe(200)
      const { status, body, headers } = await api.post('/api/notes', { body: { data: { text: 'x' } } })
      expect([status, body.error.details.code]).toEqual([503, 'database/read-only'])
      expect(headers.get('retry-after')).toBe('1')
    })
  })
})
