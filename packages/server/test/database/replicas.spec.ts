import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createListener, type Socket } from 'node:net'
import { defineContentType, type Logger, silentLogger } from '@octavo/core'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createServer, type Server } from '../../src/index.ts'

// The subject is time limits, whose ends a busy machine reaches late.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
})

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A database with one note, which identifies it. */
async function databaseOf(text: string): Promise<string> {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const server = await createServer({ contentTypes: [note], database: database.url })
  await server.octavo.entries('note').create({ text })
  await server.close()
  return database.url
}

const lines: string[] = []
const logger: Logger = {
  ...silentLogger,
  warn: (_, message) => void lines.push(message),
  child: () => logger,
}
const open = async (database: string, replicas: readonly string[]) => {
  const server: Server = await createServer({
    contentTypes: [note],
    database,
    replicas,
    logger,
    access: 'open',
  })
  closing.push(() => server.close())
  const { url } = await server.listen(0, '127.0.0.1')
  return { server, api: createClient(url) }
}

/** A host whose connections stay open and carry nothing while it hangs, like those to a machine that was cut off. */
async function hangingHost(database: string) {
  const target = new URL(database)
  const sockets = new Set<Socket>()
  let isHanging = false
  const listener = createListener((client) => {
    const server = connect(Number(target.port || 5432), target.hostname)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
      from.on('data', (bytes) => to.write(bytes))
      if (isHanging) from.pause()
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const goOn = (): void => {
    isHanging = false
    for (const socket of sockets) socket.resume()
  }
  closing.push(async () => {
    goOn()
    listener.close()
  })
  const url = new URL(database)
  const { port } = listener.address() as AddressInfo // it listens on a port, not on a pipe
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    hang: (): void => {
      isHanging = true
      for (const socket of sockets) socket.pause()
    },
    goOn,
  }
}

describe.skipIf(testEngine() === 'pglite')('Read replicas', () => {
  // Databases with other contents simulate lagging replicas, so that a response shows its source.
  it('answer reads in turn; writes and their responses come from the primary', async () => {
    const { api } = await open(await databaseOf('primary'), [
      await databaseOf('one'),
      await databaseOf('two'),
    ])
    const text = async () => (await api.get('/api/notes/1')).body.data.attributes.text
    expect(new Set([await text(), await text(), await text(), await text()])).toEqual(new Set(['one', 'two']))
    expect((await api.get('/api/notes')).body.data).toHaveLength(1)
    const made = await api.post('/api/notes', { body: { data: { text: 'new' } } })
    expect(made.body.data.attributes.text).toBe('new')
    const changed = await api.put('/api/notes/1', { body: { data: {} } })
    expect(changed.body.data.attributes.text).toBe('primary')
  })

  it('do not answer a session whose write they have not replayed', async () => {
    const { api } = await open(await databaseOf('primary'), [await databaseOf('lagging')])
    const { headers } = await api.put('/api/notes/1', { body: { data: { text: 'mine' } } })
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(
      /^octavo_position=[0-9A-F]+\/[0-9A-F]+; path=\/; expires=.*; samesite=lax; httponly$/,
    )
    const position = headers.get('x-octavo-position') ?? ''
    const text = async (given: Record<string, string>) =>
      (await api.get('/api/notes/1', { headers: given })).body.data.attributes.text
    expect(await text({ cookie: `octavo_position=${position}` })).toBe('mine')
    expect(await text({ 'x-octavo-position': position })).toBe('mine')
    expect(await text({})).toBe('lagging')
    // An invalid position is ignored; the read goes to the primary.
    for (const wrong of ['x', '0/0; drop table notes', 'FFFFFFFFF/0', '-1/0'])
      expect(await text({ 'x-octavo-position': wrong }), wrong).toBe('mine')
    expect((await api.get('/api/notes')).headers.getSetCookie()).toEqual([])
    expect((await api.put('/api/notes/99', { body: { data: {} } })).headers.getSetCookie()).toEqual([])
  })

  it('that hang are skipped, and the primary answers what they were reading', async () => {
    const primary = await databaseOf('primary')
    const host = await hangingHost(await databaseOf('replica'))
    const { api } = await open(primary, [host.url])
    const text = async () => (await api.get('/api/notes/1')).body.data.attributes.text
    expect(await text()).toBe('replica')
    host.hang()
    expect(await Promise.all([text(), text(), text()])).toEqual(['primary', 'primary', 'primary'])
    host.goOn()
    await expect.poll(text, { timeout: 60_000 }).toBe('replica')
  })

  it('that are down, or fail, are skipped', async () => {
    lines.length = 0
    const away = 'postgres://nobody@127.0.0.1:1/nothing'
    const empty = await createTestDatabase()
    closing.push(empty.drop)
    const { api } = await open(await databaseOf('primary'), [away, empty.url])
    for (let i = 0; i < 4; i++)
      expect((await api.get('/api/notes/1')).body.data.attributes.text).toBe('primary')
    expect(lines.filter((line) => /replica/.test(line))).toEqual([
      'A replica is unavailable; the primary serves its reads',
    ])
  })
})

describe('Replicas', () => {
  it.runIf(testEngine() === 'pglite')('follow a server; the embedded database has none', async () => {
    await expect(createServer({ contentTypes: [note], replicas: ['postgres://x/y'] })).rejects.toThrow(
      /embedded/,
    )
  })
  it('are given as URLs', async () => {
    await expect(
      createServer({ contentTypes: [note], database: 'postgres://nobody@127.0.0.1:1/x', replicas: ['x'] }),
    ).rejects.toThrow()
  })
})
