import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../logger.ts'
import { PgListener } from './pg-listener.ts'

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

/** A server that ends each session in the bytes that begin it, as when all sessions are ended while a client connects. */
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => socket.end(welcomeAndFarewell))
})
afterEach(() => server.close())

describe('the connection that listens', () => {
  it('may end as soon as it is open: no error event is without a listener, which would end the process', async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const listener = new PgListener(`postgres://x@127.0.0.1:${port}/x`, silentLogger)
    await expect(listener.listen('channel', () => {})).rejects.toThrow()
    await listener.close()
  })
})
