/** How a server ends: no request is lost, and nothing holds it up for ever. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { silentLogger } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

// The subject is time limits, whose ends a busy machine reaches late.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Requests that wait until they are let go. */
function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let arrive = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const plugin = definePlugin({
    name: 'slow',
    setup: (octavo) =>
      octavo.hook('server:routes', (routes) =>
        routes.add({
          method: 'GET',
          path: '/slow',
          handler: async (context) => {
            arrive()
            await opened
            context.body = { done: true }
          },
        }),
      ),
  })
  return { plugin, open, arrived }
}

const get = ({ url }: Site, path: string, agent?: Agent) =>
  new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
    request(url + path, agent ? { agent } : {}, (response) => {
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode, connection: response.headers.connection }),
      )
    })
      .on('error', reject)
      .end()
  })

describe('A server that closes', () => {
  it('accepts requests while it drains, each with Connection: close, and is not ready', async () => {
    const { plugin, open, arrived } = gate()
    const site = await openSite({ plugins: [plugin], drain: 5_000 })
    const agent = new Agent({ keepAlive: true })
    expect((await get(site, '/_health/ready')).status).toBe(200)
    expect((await get(site, '/api/articles/1', agent)).connection).toBe('keep-alive')
    const inFlight = get(site, '/api/slow', agent)
    await arrived
    const closing = site.close()
    expect(await get(site, '/api/articles/1')).toEqual({ status: 200, connection: 'close' })
    const ready = await site.api.get('/_health/ready')
    expect([ready.status, ready.body]).toEqual([503, { status: 'stopping', database: 'unknown' }])
    expect((await site.api.get('/_health/live')).status).toBe(200)
    open()
    expect(await inFlight).toEqual({ status: 200, connection: 'close' })
    await closing
    await expect(get(site, '/api/articles/1')).rejects.toThrow()
    agent.destroy()
  })

  it('answers requests that have arrived and that it has not read yet', async () => {
    const site = await openSite()
    const { port, hostname } = new URL(site.url)
    const live = 'GET /_health/live HTTP/1.1\r\nHost: x\r\n\r\n'
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), hostname)
        // Kept alive after its first request.
        socket.write(live)
        await once(socket, 'data')
        return socket
      }),
    )
    const answers = sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          let text = ''
          socket.on('data', (bytes) => {
            text += bytes
          })
          socket.on('error', (error) => resolve(error.message))
          socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''))
        }),
    )
    for (const socket of sockets) socket.write(live)
    // They are on their way: the server's end of the sockets is in this process, which has not been there yet.
    const closing = site.close()
    expect(await Promise.all(answers)).toEqual(sockets.map(() => 'HTTP/1.1 200 OK'))
    await closing
  })

  it('closes connections on which nothing has arrived, as browsers open some beforehand', async () => {
    const site = await openSite({ grace: 100_000 })
    const { port, hostname } = new URL(site.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const ended = once(socket, 'close')
    // Accepted after the first one.
    expect((await get(site, '/_health/live')).status).toBe(200)
    socket.resume()
    await site.close()
    await ended
  }, 30_000)

  it('closes within `grace` when a request never ends', async () => {
    const { plugin, arrived } = gate()
    // The database has the same time to close, which it may need on a busy machine.
    const site = await openSite({ plugins: [plugin], grace: 2_000 })
    const hanging = expect(get(site, '/api/slow')).rejects.toThrow()
    await arrived
    await site.close()
    await hanging
  })

  it('runs server:closing before it waits for requests, then octavo:stop', async () => {
    const steps: string[] = []
    const { plugin, open, arrived } = gate()
    const stream = definePlugin({
      name: 'stream',
      setup: (octavo) => {
        octavo.hook('server:closing', () => {
          steps.push('closing')
          // Lets the request end: without this hook, it would be cut off after `grace`.
          open()
        })
        octavo.hook('octavo:stop', () => void steps.push('stop'))
      },
    })
    const site = await openSite({ plugins: [plugin, stream] })
    const inFlight = get(site, '/api/slow')
    await arrived
    await site.close()
    expect((await inFlight).status).toBe(200)
    expect(steps).toEqual(['closing', 'stop'])
  })

  it.each(['server:closing', 'octavo:stop'] as const)(
    'rejects when a handler of %s never ends, and names hook and plugin',
    async (hook) => {
      const stuck = definePlugin({
        name: 'stuck',
        setup: (octavo) => octavo.hook(hook, () => new Promise<void>(() => {})),
      })
      const site = await openSite({ plugins: [stuck], grace: 300 })
      await expect(site.server.close()).rejects.toThrow(
        `The database was not closed within 300 ms, since hooks of plugins have not ended: ${hook} of stuck`,
      )
      await site.server.octavo.store.close()
    },
  )

  it('logs the requests that it cuts off, with the handlers of plugins that have not ended', async () => {
    const asked = Promise.withResolvers<void>()
    const stuck = definePlugin({
      name: 'stuck',
      setup: (octavo) =>
        octavo.hook('server:authenticate', () => {
          asked.resolve()
          return new Promise<undefined>(() => {})
        }),
    })
    const site = await openSite({ plugins: [stuck], grace: 2_000 })
    const hanging = expect(get(site, '/api/articles?token=secret')).rejects.toThrow()
    await asked.promise
    await site.server.close()
    await hanging
    expect(site.log).toContainEqual({
      level: 'warn',
      message: 'The stop cut off requests that had no answer within 2000 ms',
      fields: { count: 1, requests: ['GET /api/articles'], handlers: ['server:authenticate of stuck'] },
    })
  })
})

describe('GET /_health', () => {
  it('distinguishes a live, a ready and an unavailable server', async () => {
    const site = await openSite()
    const health = async (path: string) => {
      const { status, body, headers } = await site.api.get(path)
      return [status, body, headers.get('cache-control')]
    }
    expect(await health('/_health/live')).toEqual([200, { status: 'live' }, 'no-store'])
    expect(await health('/_health/ready')).toEqual([200, { status: 'ready', database: 'up' }, 'no-store'])
    await site.server.octavo.store.close()
    expect(await health('/_health/live')).toEqual([200, { status: 'live' }, 'no-store'])
    expect(await health('/_health/ready')).toEqual([
      503,
      { status: 'unavailable', database: 'down' },
      'no-store',
    ])
    await site.close()
  })
})

it('A server that has closed is collected as garbage, so that a test suite may start hundreds', async () => {
  const database = await createTestDatabase()
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const start = async (): Promise<WeakRef<Server>> => {
    const server: Server = await createServer({ database: database.url, logger: silentLogger })
    const { url } = await server.listen(0, '127.0.0.1')
    await (await fetch(`${url}/_health`, { headers: { connection: 'close' } })).text()
    await server.close()
    return new WeakRef(server)
  }
  const closed = await start()
  await expect
    .poll(
      () => {
        collect()
        return closed.deref() !== undefined
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(false)
  await database.drop()
})
