/** Servers on which a URL does not fit: the driver throws errors that say neither where nor what would be right. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { silentLogger } from '../src/logger.ts'
import { openStore } from '../src/open-store.ts'

// The limits of the store are waited for where a server answers otherwise than expected.
vi.setConfig({ testTimeout: 60_000 })

const limits = { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 }
const open = (database: string) => openStore({ database, limits, logger: silentLogger })

/** The ends of the connections to the last server. */
let left: readonly Promise<unknown>[] = []

/** A server that answers the messages of a client with these, in turn. @returns its port. */
async function answering(...answers: readonly Buffer[]): Promise<number> {
  const rest = [...answers]
  left = []
  const server = createServer((socket) => {
    socket.on('data', () => socket.write(rest.shift() ?? Buffer.alloc(0))).on('error', () => {})
    left = [...left, once(socket, 'close')]
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // it listens on a port
}

/** A message of the server about the authentication. */
function authentication(kind: number, text: string): Buffer {
  const message = Buffer.alloc(9 + text.length)
  message.write('R')
  message.writeInt32BE(8 + text.length, 1)
  message.writeInt32BE(kind, 5)
  message.write(text, 9)
  return message
}
const [mechanisms, challenge] = [10, 11]

it('A server without TLS is named where the URL asks for it', async () => {
  const port = await answering(Buffer.from('N'))
  await expect(open(`postgres://me:secret@127.0.0.1:${port}/site?ssl=true`)).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${port} cannot be used: it has no TLS, which sslmode or ssl in the URL asks for`,
  )
})

it('A server that asks for a password is named where the URL has none', async () => {
  vi.stubEnv('PGPASSWORD', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const port = await answering(
    authentication(mechanisms, 'SCRAM-SHA-256\0\0'),
    authentication(challenge, 'r=x,s=c2FsdA==,i=4096'),
  )
  await expect(open(`postgres://me@127.0.0.1:${port}/site`)).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${port} cannot be used: it asks for a password, and the URL has none: postgres://user:password@`,
  )
  // The server itself would wait for a password, and the process for the server.
  await Promise.all(left)
})

it.each<[string, string]>([
  ['sslrootcert=gone.pem', 'cannot be read (ENOENT'],
  ['sslcert=gone.pem&sslkey=gone.pem', 'cannot be read (ENOENT'],
  ['sslrootcert=.', 'cannot be read (EISDIR'],
  ['sslcert=package.json&sslkey=package.json', 'is no certificate or key in the PEM format ('],
])('A file of certificates that cannot be used is named with the option: %s', async (query, reason) => {
  const port = await answering(Buffer.from('S'))
  await expect(
    open(`postgres://me:secret@127.0.0.1:${port}/site?sslmode=verify-full&${query}`),
  ).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${port} cannot be used: a file of sslrootcert, sslcert or sslkey in the URL ${reason}`,
  )
})
