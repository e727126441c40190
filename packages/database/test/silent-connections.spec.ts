import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPool } from '../src/pool/open-pool.ts'

// A server that is silent is waited for.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(testEngine() === 'postgresql')('A server that is gone without a word', () => {
  let database: TestDatabase
  /** The connections of the clients, with those to the server. */
  const pairs: (readonly [client: Socket, server: Socket])[] = []
  /** Whether the firewall accepts connections and sends nothing on. */
  let isFrozen = false
  /** Connections to the server, as through a firewall that may forget them. */
  const firewall = createServer((client) => {
    if (isFrozen) return void client.on('error', () => {})
    const { hostname, port } = new URL(database.url)
    const server = connect(Number(port) || 5432, hostname)
    pairs.push([client, server])
    for (const socket of [client, server]) socket.on('error', () => {})
    client.on('data', (data) => server.writable && server.write(data)).on('close', () => server.destroy())
    server.on('data', (data) => client.write(data))
  })
  let url: string
  beforeAll(async () => {
    database = await createTestDatabase()
    await new Promise<void>((done) => firewall.listen(0, '127.0.0.1', done))
    const through = new URL(database.url)
    through.host = `127.0.0.1:${(firewall.address() as AddressInfo).port}`
    url = through.href
  })
  afterAll(async () => {
    for (const [client] of pairs) client.destroy()
    firewall.close()
    await database?.drop()
  })

  const open = (statementTime: string, server?: () => string) =>
    openPool({
      url,
      name: 'octavo-test',
      settings: [`set statement_timeout to '${statementTime}'`],
      connections: 1,
      connectionTime: 60_000,
      queueTime: 60_000,
      silence: { time: 100, server, lookEvery: 100 },
    })

  it('is an error of the statements that wait for it, and the next ones are answered', async () => {
    const pool = await open('60s')
    expect((await pool.query('select 1')).rows).toEqual([['1']])
    for (const [, server] of pairs) server.destroy()
    await expect(pool.query('select 2')).rejects.toThrow('The database was silent')
    expect((await pool.query('select 3')).rows).toEqual([['3']])
    await pool.end()
  })

  // A pooler has numbers of its own for the sessions, about which the server cannot be asked.
  it.each([
    ['', false],
    [' behind a pooler', true],
  ])('is not one%s that works for a long time', async (_, isPooled) => {
    const pool = await open('0', isPooled ? () => database.url : undefined)
    expect((await pool.query('select 4 from pg_sleep(2)')).rows).toEqual([['4']])
    await pool.end()
  })

  it.each([
    ['a pooler', true],
    ['the server behind a pooler', false],
  ])('may be %s', async (_, isPooler) => {
    const hole = createServer((client) => void client.on('error', () => {}))
    await new Promise<void>((done) => hole.listen(0, '127.0.0.1', done))
    const gone = `postgres://nobody@127.0.0.1:${(hole.address() as AddressInfo).port}/nothing`
    const pool = await open('60s', () => (isPooler ? database.url : gone))
    expect((await pool.query('select 5')).rows).toEqual([['5']])
    isFrozen = isPooler
    for (const [, server] of pairs) server.destroy()
    await expect(pool.query('select 6')).rejects.toThrow('The database was silent')
    isFrozen = false
    expect((await pool.query('select 7')).rows).toEqual([['7']])
    hole.close()
    await pool.end()
  })
})
