/** The connection to the database breaks when the row of a file may have been committed. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { expect, it } from 'vitest'
import { form, openSite } from './site.ts'

/** A transaction with a file of this name is committed without an answer. */
const marked = 'cut-here'

/** Passes bytes on between server and database; after {@link marked} and a commit, the database's answers are lost. */
async function cutWire(database: string): Promise<{ readonly url: string; close(): void }> {
  const url = new URL(database)
  const { hostname, port } = url
  const listener = createServer((client) => {
    const server = connect(Number(port || 5432), hostname)
    let isMarked = false
    let isCut = false
    client.on('data', (bytes) => {
      isMarked ||= bytes.includes(marked)
      isCut ||= isMarked && /\bcommit\b/i.test(bytes.toString('latin1'))
      server.write(bytes)
    })
    server.on('data', (bytes) => void (isCut ? client.destroy() : client.write(bytes)))
    for (const [one, other] of [[client, server] as const, [server, client] as const])
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}` // it listens on a port
  return { url: url.href, close: () => void listener.close() }
}

it.skipIf(testEngine() === 'pglite')(
  'The file of a row that may exist stays, also when it came with an entry',
  async () => {
    const database = await createTestDatabase()
    const wire = await cutWire(database.url)
    const site = await openSite({}, { database: wire.url })
    try {
      const upload = await site.api.post('/api/upload', {
        body: form([{ name: `${marked}.txt`, content: 'text' }]),
        headers: { 'idempotency-key': 'one' },
      })
      const entry = await site.api.post('/api/articles', {
        body: form([{ name: `${marked}.txt`, content: 'text', field: 'files.gallery' }], {
          data: { title: 'a' },
        }),
      })
      for (const { status, body } of [upload, entry])
        expect([status, body.error.details.code]).toEqual([503, 'database/outcome-unknown'])
      // Each row that was committed has its file.
      const keys = await site.server.octavo.store.query('select "hash" || "ext" from "files"')
      const stored = await site.kept()
      expect(keys.length).toBeGreaterThan(0)
      for (const [key] of keys) expect(stored).toContain(key)
    } finally {
      await site.close()
      wire.close()
      await database.drop()
    }
  },
)
