import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { webhooks } from '@octavo/plugin-webhooks'
import { createServer } from '@octavo/server'
import { runs, testEngine } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { startReceiver } from './receiver.ts'
import { article, hookTo, lastingDatabase } from './site.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const serve = (database: string, url: string, timeout = 1_000) =>
  createServer({
    contentTypes: [article],
    plugins: [draftPublish(), webhooks({ webhooks: [hookTo(url)], poll: 20, timeout })],
    database,
    access: 'open',
  })

const start = (...args: readonly string[]) =>
  spawn(process.execPath, [fileURLToPath(new URL('killed-writer.ts', import.meta.url)), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })

describe('An event of a process that is killed', () => {
  it('between the commit and the delivery is delivered by the next process', async () => {
    const database = await lastingDatabase()
    const to = await startReceiver()
    try {
      const [, signal] = await once(start(database.url), 'exit')
      expect(signal).toBe('SIGKILL')
      const server = await serve(database.url, to.url)
      await server.listen(0, '127.0.0.1')
      expect((await to.arrived(1))[0]?.body).toMatchObject({ entry: { title: 'Survivor' } })
      await server.close()
    } finally {
      await to.close()
      await database.drop()
    }
  })

  it('during the delivery is delivered again, with the same id', async () => {
    const database = await lastingDatabase()
    const to = await startReceiver((index) => (index === 0 ? 0 : 204))
    try {
      const child = start(database.url, to.url)
      const exit = once(child, 'exit')
      await to.arrived(1)
      child.kill('SIGKILL')
      await exit
      const server = await serve(database.url, to.url)
      await server.listen(0, '127.0.0.1')
      // As if the time of a delivery had passed, which it does each night.
      if (runs(0, 1) === 0)
        await server.octavo.store.query('update octavo_webhook_deliveries set due = now()')
      const [first, second] = await to.arrived(2)
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
      await server.close()
    } finally {
      await to.close()
      await database.drop()
    }
  })
})

// An embedded database belongs to one process.
describe.runIf(testEngine() === 'postgresql')('Several processes', () => {
  it('share the deliveries: each is made once', async () => {
    const database = await lastingDatabase()
    const to = await startReceiver()
    // No delivery takes as long as that: it would be made again.
    const servers = await Promise.all([0, 1].map(() => serve(database.url, to.url, 60_000)))
    try {
      const [writer] = servers
      await Promise.all(
        Array.from({ length: 40 }, (_, i) => writer?.octavo.entries('article').create({ title: `${i}` })),
      )
      await Promise.all(servers.map((server) => server.listen(0, '127.0.0.1')))
      await to.arrived(40)
      // The servers wait for deliveries that are under way before they stop.
      await Promise.all(servers.map((server) => server.close()))
      expect(to.received).toHaveLength(40)
      expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(40)
    } finally {
      await to.close()
      await database.drop()
    }
  })
})
