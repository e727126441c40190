/** Several database servers in the URL, of which one accepts writes. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createListener, type Socket } from 'node:net'
import { defineContentType } from '@octavo/core'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createServer } from '../../src/index.ts'

// The subject is time limits, whose ends a busy machine reaches late.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
})

type State = 'primary' | 'standby' | 'down'

/** A server that stands for a host of a cluster: all hosts have the same data, and sessions of a standby are read-only. */
class Host {
  #state: State
  readonly #sockets = new Set<Socket>()
  readonly #listener = createListener((client) => this.#serve(client))
  readonly #database: URL

  constructor(database: string, state: State) {
    this.#database = new URL(database)
    this.#state = state
  }

  async listen(): Promise<string> {
    this.#listener.listen(0, '127.0.0.1')
    await once(this.#listener, 'listening')
    // Always a port: the listener listens on TCP.
    return `127.0.0.1:${(this.#listener.address() as AddressInfo).port}`
  }

  /** Breaks all connections, as a restart does. */
  become(state: State): void {
    this.#state = state
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.become('down')
    this.#listener.close()
  }

  #serve(client: Socket): void {
    client.on('error', () => {})
    if (this.#state === 'down') return void client.destroy()
    const { hostname, port } = this.#database
    const server = connect(Number(port || 5432), hostname)
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.once('data', (startup) => {
      server.write(this.#state === 'standby' ? withReadOnly(startup) : startup)
      client.pipe(server)
    })
    server.pipe(client)
  }
}

/** Adds an option to the startup message of PostgreSQL's protocol: length, version, pairs of texts, a zero byte. */
function withReadOnly(startup: Buffer): Buffer {
  const isStartup = startup.readInt32BE(4) === 196_608
  if (!isStartup) return startup
  const option = Buffer.from('options\0-c default_transaction_read_only=on\0\0')
  const message = Buffer.concat([startup.subarray(0, -1), option])
  message.writeInt32BE(message.length, 0)
  return message
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function hostsOf(...states: readonly State[]) {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const hosts = states.map((state) => new Host(database.url, state))
  const addresses: string[] = []
  for (const host of hosts) {
    closing.push(() => host.close())
    addresses.push(await host.listen())
  }
  const { username, password, pathname } = new URL(database.url)
  const user = password ? `${username}:${password}` : username
  return { hosts, url: `postgres://${user}@${addresses.join()}${pathname}` }
}

async function serve(database: string) {
  const server = await createServer({ contentTypes: [note], database, access: 'open' })
  closing.push(() => server.close())
  return createClient((await server.listen(0, '127.0.0.1')).url)
}

type Api = Awaited<ReturnType<typeof serve>>

const post = (api: Api, text: string) => api.post('/api/notes', { body: { data: { text } } })

/** Retries a write until it is answered. @returns the codes of the errors until then */
async function codesUntilWritten(api: Api, text: string): Promise<Set<string>> {
  const codes = new Set<string>()
  await expect
    .poll(
      async () => {
        const { status, body, headers } = await post(api, text)
        if (status === 503) {
          codes.add(body.error.details.code)
          expect(headers.get('retry-after')).toBe('1')
        }
        return status
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe(200)
  return codes
}

/** A connection that broke unnoticed takes the first message, and nobody knows how far it came. */
const broken = ['database/unavailable', 'database/outcome-unknown']
const conditions = ['database/read-only', ...broken]

describe.skipIf(testEngine() === 'pglite')('Several hosts in the URL of the database', () => {
  it('are tried in order until one accepts writes', async () => {
    const { url } = await hostsOf('down', 'standby', 'primary')
    const api = await serve(`${url}?target_session_attrs=read-write`)
    expect((await post(api, 'one')).status).toBe(200)
  })

  it('are followed to the new primary, and back', async () => {
    const { hosts, url } = await hostsOf('primary', 'standby')
    const [first, second] = hosts
    const api = await serve(url)
    expect((await post(api, 'one')).status).toBe(200)
    first?.become('standby')
    second?.become('primary')
    for (const code of await codesUntilWritten(api, 'two')) expect(conditions).toContain(code)
    second?.become('down')
    expect(broken).toContain((await post(api, 'lost')).body.error.details.code)
    first?.become('primary')
    for (const code of await codesUntilWritten(api, 'three')) expect(broken).toContain(code)
    const { body } = await api.get('/api/notes?sort=id')
    const texts = body.data.map(({ attributes }: { attributes: { text: string } }) => attributes.text)
    expect(texts).toEqual(['one', 'two', 'three'])
  })

  it('of which none accepts writes answer reads, and 503 to writes', async () => {
    const { hosts, url } = await hostsOf('primary', 'standby')
    const api = await serve(url)
    await post(api, 'one')
    hosts[0]?.become('standby')
    await expect
      .poll(async () => (await post(api, 'x')).body.error?.details.code, { timeout: 60_000 })
      .toBe('database/read-only')
    expect((await api.get('/api/notes/1')).status).toBe(200)
    expect((await api.get('/_health/ready')).status).toBe(200)
  })

  it('stop the start when none accepts writes, with the reason of each', async () => {
    const { url } = await hostsOf('standby', 'down')
    await expect(serve(url)).rejects.toThrow(
      /^PostgreSQL does not answer: no server accepts writes \(at 127\.0\.0\.1:\d+: it is read-only; at 127\.0\.0\.1:\d+: .+\)$/,
    )
  })
})
