import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openSource } from '../src/index.ts'

it('A database whose handshake fails keeps no connection open', async () => {
  const server = createServer((socket) =>
    // The only way to prove a password is "X", which no client knows.
    socket.once('data', () => socket.write('R\0\0\0\x0b\0\0\0\nX\0\0')),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const connected = once(server, 'connection')
  await expect(openSource(`postgres://me:secret@127.0.0.1:${port}/site`)).rejects.toThrow(
    `postgres://me:***@127.0.0.1:${port}/site cannot be reached: SASL: Only mechanism(s)`,
  )
  const [socket] = (await connected) as [Socket]
  if (!socket.destroyed) await once(socket, 'close')
})
