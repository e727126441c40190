import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Logger, silentLogger } from '../src/logger.ts'
import { PgListener } from '../src/postgres/pg-listener.ts'

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command']
const welcomeAndFarewell = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from(`${fields.join('\0')}\0\0`)),
])

const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])
const listens = Buffer.concat([message('C', Buffer.from('LISTEN\0')), message('Z', Buffer.from('I'))])
const standby = ['SERROR', 'VERROR', 'C25006', 'Mcannot execute LISTEN during recovery']
const isStandby = Buffer.concat([
  message('E', Buffer.from(`${standby.join('\0')}\0\0`)),
  message('Z', Buffer.from('I')),
])

const sockets = new Set<Socket>()
/** Handles the first bytes of each connection. */
let begin: (socket: Socket) => void
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  socket.once('data', () => begin(socket))
})
let url: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `postgres://x@127.0.0.1:${(server.address() as AddressInfo).port}/x`
})
afterAll(() => server.close())

/** Opens the sessions of `begin`; the connections with the numbers in `failing`, counted from 1, get `fail` for their statement. */
function failOnListen(failing: readonly number[], fail: (socket: Socket) => void): void {
  let count = 0
  begin = (socket) => {
    count += 1
    const isFailing = failing.includes(count)
    socket.write(welcome)
    socket.on('data', ([first]) => {
      if (first === 'X'.charCodeAt(0)) socket.end()
      else if (isFailing) fail(socket)
      else socket.write(listens)
    })
  }
}

const away = () => Promise.reject(new Error('The database does not answer.'))

describe('the connection that listens', () => {
  it('may end as soon as it is open: no error event is without a listener, which would end the process', async () => {
    begin = (socket) => socket.end(welcomeAndFarewell)
    const listener = new PgListener(url, silentLogger, away)
    await expect(listener.listen('channel', () => {})).rejects.toThrow()
    await listener.close()
  })

  it('has the system ask a silent server whether it is there, since nothing is sent on it', async () => {
    failOnListen([], () => {})
    const asked = vi.spyOn(Socket.prototype, 'setKeepAlive')
    const listener = new PgListener(url, silentLogger, away)
    await listener.listen('channel', () => {})
    expect(asked).toHaveBeenCalledWith(true, 10_000)
    asked.mockRestore()
    await listener.close()
  })

  const failures: Record<string, (socket: Socket) => void> = {
    'refuses to listen, as a standby does': (socket) => socket.write(isStandby),
    'ends the connection while it begins to listen': (socket) => socket.destroy(),
  }
  it.each(Object.entries(failures))(
    'is one connection after a server that %s',
    async (_name, fail) => {
      failOnListen([2, 3, 4], fail)
      const listener = new PgListener(url, silentLogger, away)
      const missed = Promise.withResolvers<unknown>()
      await listener.listen('channel', missed.resolve)
      for (const socket of sockets) socket.destroy()
      expect(await missed.promise).toBe(undefined)
      await expect.poll(() => sockets.size, { timeout: 5_000 }).toBe(1)
      await listener.close()
      await expect.poll(() => sockets.size, { timeout: 5_000 }).toBe(0)
    },
    30_000,
  )

  it.each([
    ['are called while other connections are answered', true],
    ['are not called while nothing is answered', false],
  ])(
    'when it cannot be made again: handlers %s, and the log has one line',
    async (_what, isAnswered) => {
      failOnListen([], () => {})
      const lines: string[] = []
      const log = (_fields: object, message: string) => void lines.push(message)
      const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger }
      let asked = 0
      const listener = new PgListener(url, logger, async () => {
        asked += 1
        if (!isAnswered) await away()
      })
      let missed = 0
      await listener.listen('channel', () => {
        missed += 1
      })
      begin = (socket) => socket.destroy()
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => asked, { timeout: 20_000 }).toBe(3)
      await expect.poll(() => missed > 1).toBe(isAnswered)
      const message = 'The connection that listens could not be made again'
      expect(lines.filter((line) => line === message)).toEqual([message])
      await listener.close()
    },
    30_000,
  )
})
