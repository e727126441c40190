import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { apiTokensOf } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

describe.runIf(testEngine() === 'postgresql')(
  'A process whose connection for messages is lost for good',
  () => {
    let database: TestDatabase
    let site: Site
    let other: Site
    /** The connections for messages, by the name in their first bytes. */
    const listening = new Set<Socket>()
    let isRefusing = false
    /** The way of the other process to the database, which may take no new connections, as a full database does. */
    const way = createServer((client) => {
      if (isRefusing) return void client.destroy()
      const { hostname, port } = new URL(database.url)
      const server = connect(Number(port) || 5432, hostname)
      client.once('data', (bytes) => {
        if (bytes.includes('octavo-listen')) listening.add(client)
      })
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const)
        from
          .on('error', () => {})
          .on('close', () => to.destroy())
          .pipe(to)
    })
    beforeAll(async () => {
      database = await createTestDatabase()
      await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
      const through = new URL(database.url)
      through.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
      const options = { jwt: { secret: 'shared by both of the processes!' } }
      site = await openSite(options, { database: database.url })
      other = await openSite(options, {}, { url: through.href })
    })
    afterAll(async () => {
      await other?.close()
      await site?.close()
      way.close()
      await database?.drop()
    })

    it('refuses a revoked token as long as statements are answered', async () => {
      const tokens = apiTokensOf(site.server.octavo)
      const { id, token } = await tokens.make({ name: 'site', access: 'full' })
      const status = () => other.api.get('/api/articles', { token }).then((answer) => answer.status)
      expect(await status()).toBe(200)
      isRefusing = true
      expect(listening.size).toBeGreaterThan(0)
      for (const socket of listening) socket.destroy()
      await tokens.revoke(id)
      await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 60_000, interval: 50 })
    }, 90_000)
  },
)
