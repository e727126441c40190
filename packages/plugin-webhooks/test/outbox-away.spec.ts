import type { Logger } from '@octavo/core'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'
import { webhooks } from '../src/index.ts'
import { startReceiver } from './receiver.ts'
import { article, hookTo } from './site.ts'

it('is told once while it lasts that the outbox cannot be read, and deliveries go on afterwards', async () => {
  const database = await createTestDatabase()
  const receiver = await startReceiver()
  const lines: string[] = []
  let looks = 0
  const log = (_fields: object, message: string) => void lines.push(message)
  const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger }
  const server = await createServer({
    contentTypes: [article],
    database: database.url,
    logger,
    plugins: [webhooks({ webhooks: [hookTo(receiver.url)], poll: 5 })],
  })
  try {
    const { store } = server.octavo
    const rows = store.rows.bind(store) as (...args: unknown[]) => unknown
    const rename = (from: string, to: string) => store.query(`alter table ${from} rename to ${to}`)
    await server.octavo.entries('article').create({ title: 'One' })
    await rename('octavo_webhook_deliveries', 'away')
    Object.assign(store, {
      rows: (...args: unknown[]) => {
        looks += 1
        return rows(...args)
      },
    })
    await server.listen(0, '127.0.0.1')
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(4)
    expect(lines.filter((line) => line.startsWith('Webhooks'))).toEqual([
      'Webhooks: the outbox cannot be read',
    ])
    await rename('away', 'octavo_webhook_deliveries')
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1)
  } finally {
    await server.close()
    await receiver.close()
    await database.drop()
  }
})
