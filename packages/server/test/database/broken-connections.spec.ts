/** The connection to the database breaks when a write may have been committed. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createListener } from 'node:net'
import { defineContentType, type Store, sql } from '@octavo/core'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServer } from '../../src/index.ts'

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    text: { type: 'string' },
  },
})

/** A text by which the messages of a write are recognised. */
const marked = 'cut here'

/** Between server and database: after a message with {@link marked}, the database's answers are not passed on. */
class Wire {
  mode: 'whole' | 'no answer' = 'whole'
  readonly #database: URL
  readonly #listener = createListener((client) => {
    const server = connect(Number(this.#database.port || 5432), this.#database.hostname)
    let isCut = false
    client.on('data', (bytes) => {
      if (this.mode === 'no answer' && bytes.includes(marked)) isCut = true
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      // It answers when the statements have run, and the message's transaction is committed.
      if (isCut) client.destroy()
      else client.write(bytes)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })

  constructor(database: string) {
    this.#database = new URL(database)
  }

  async listen(): Promise<string> {
    this.#listener.listen(0, '127.0.0.1')
    await once(this.#listener, 'listening')
    const url = new URL(this.#database)
    url.host = `127.0.0.1:${(this.#listener.address() as AddressInfo).port}`
    return url.href
  }

  close(): void {
    this.#listener.close()
  }
}

describe.skipIf(testEngine() === 'pglite')('a write whose connection breaks', () => {
  let api: ReturnType<typeof createClient>
  let wire: Wire
  let store: Store
  let close: () => Promise<void>
  beforeAll(async () => {
    const database = await createTestDatabase()
    wire = new Wire(database.url)
    const server = await createServer({
      contentTypes: [note],
      database: await wire.listen(),
      access: 'open',
    })
    const { url } = await server.listen(0, '127.0.0.1')
    api = createClient(url)
    store = server.octavo.store
    close = async () => {
      await server.close()
      wire.close()
      await database.drop()
    }
  })
  afterAll(() => close())

  const create = (text: string) => api.post('/api/notes', { body: { data: { text } } })

  it('after it was sent, has an unknown outcome, and no Retry-After', async () => {
    wire.mode = 'no answer'
    const answer = await create(marked)
    wire.mode = 'whole'
    expect([answer.status, answer.body.error.details.code]).toEqual([503, 'database/outcome-unknown'])
    expect(answer.headers.get('retry-after')).toBeNull()
    // It was committed, which nobody could say.
    const path = `/api/notes?filters[text]=${encodeURIComponent(marked)}`
    expect((await api.get(path)).body.data).toHaveLength(1)
  })

  it('has an unknown outcome as a statement of its own, unless it only reads', async () => {
    wire.mode = 'no answer'
    const alone = `${marked}, alone`
    const written = store.run(sql`insert into "notes" ("text") values (${alone})`)
    await expect(written).rejects.toMatchObject({ code: 'database/outcome-unknown' })
    const read = store.run(sql`select ${marked}`)
    await expect(read).rejects.toMatchObject({ code: 'database/unavailable' })
    wire.mode = 'whole'
    const path = `/api/notes?filters[text]=${encodeURIComponent(alone)}`
    expect((await api.get(path)).body.data).toHaveLength(1)
  })

  it('before its commit was sent, was not written', async () => {
    wire.mode = 'no answer'
    const written = store.transaction(async (tx) => {
      await tx.run(sql`insert into "notes" ("text") values (${'unsent'})`)
      await tx.run(sql`select ${marked}`)
    })
    await expect(written).rejects.toMatchObject({ code: 'database/unavailable' })
    wire.mode = 'whole'
    expect((await api.get('/api/notes?filters[text]=unsent')).body.data).toEqual([])
  })
})
