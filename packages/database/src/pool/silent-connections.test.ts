import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SilentConnections } from './silent-connections.ts'

/** A server that accepts connections, and never answers. */
let server: Server
beforeAll(async () => {
  server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => server.close())

/** A connection as pg has it. */
async function connection(): Promise<{ readonly client: PoolClient; readonly stream: Socket }> {
  const stream = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await new Promise<void>((done) => stream.once('connect', done))
  stream.on('error', () => {})
  const client = { processID: 7, connection: { stream } }
  return { client: client as unknown as PoolClient, stream }
}

/** Looks at a connection until the server was asked about it three times, or it is broken. */
async function afterLooks(isAtWork: () => Promise<boolean>): Promise<boolean> {
  const { client, stream } = await connection()
  const asked = Promise.withResolvers<void>()
  const closed = new Promise<void>((done) => stream.once('close', done))
  let count = 0
  const silent = new SilentConnections({
    silence: 1,
    lookEvery: 5,
    isAtWork: () => {
      count += 1
      if (count === 3) asked.resolve()
      return isAtWork()
    },
  })
  silent.taken(client)
  await Promise.race([asked.promise, closed])
  const { destroyed } = stream
  silent.released(client)
  stream.destroy()
  return destroyed
}

describe('A connection in use that is silent', () => {
  it('is broken when the server does no work for it', async () => {
    expect(await afterLooks(async () => false)).toBe(true)
  })

  it('is broken when the server cannot be reached by another one', async () => {
    expect(await afterLooks(() => Promise.reject(new Error('connect EHOSTUNREACH')))).toBe(true)
  })

  it('stays while the server works for it, and where the server has no place for another one', async () => {
    expect(await afterLooks(async () => true)).toBe(false)
    const full = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
    expect(await afterLooks(() => Promise.reject(full))).toBe(false)
  })

  it('stays when its work has ended', async () => {
    const { client, stream } = await connection()
    let asked = 0
    const silent = new SilentConnections({
      silence: 1,
      lookEvery: 5,
      isAtWork: async () => {
        asked += 1
        return false
      },
    })
    silent.taken(client)
    silent.released(client)
    await new Promise((done) => setTimeout(done, 50))
    expect([asked, stream.destroyed]).toEqual([0, false])
    stream.destroy()
  })
})
