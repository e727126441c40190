import { createOctavo, type Logger, type Octavo, silentLogger } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'
import { describe, expect, it } from 'vitest'

/** A plugin that notes what its channel receives. @param receive Called first. */
const listening = (
  received: unknown[],
  made: { start?: (octavo: Octavo) => Promise<void>; receive?: () => void; publish?: () => Promise<void> },
) =>
  definePlugin({
    name: 'notices',
    setup: (host) => {
      host.start((octavo: Octavo) => made.start?.(octavo))
      const channel = host.channel<string>((message) => {
        made.receive?.()
        received.push(message)
      })
      made.publish = () => channel.publish('new')
    },
  })

describe('A channel of a plugin', () => {
  it('knows of a message that came while the plugins started', async () => {
    const { url, drop } = await createTestDatabase()
    const received: unknown[] = []
    const start = async ({ store }: Octavo): Promise<void> => {
      await store.query(`select pg_notify('octavo_notices', '"new"')`)
    }
    const plugin = listening(received, { start })
    const octavo = await createOctavo({ plugins: [plugin], database: url, logger: silentLogger })
    // It is handled as one that is missing, unless it took longer than the start to arrive.
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1)
    expect([undefined, 'new']).toContain(received[0])
    await octavo.close()
    await drop()
  })

  it('calls a handler again that failed, and says that a message is missing', async () => {
    const { url, drop } = await createTestDatabase()
    const received: unknown[] = []
    let failures = 1
    const made: Parameters<typeof listening>[1] = {
      receive: () => {
        failures -= 1
        if (failures >= 0) throw new Error('The database is busy')
      },
    }
    const plugin = listening(received, made)
    const octavo = await createOctavo({ plugins: [plugin], database: url, logger: silentLogger })
    await made.publish?.()
    await expect.poll(() => received, { timeout: 10_000 }).toEqual([undefined])
    await octavo.close()
    await drop()
  })

  it.each<[string, unknown, string]>([
    ['is too long', 'x'.repeat(8_000), 'has 8002 bytes, of 7999 at most; send an id in its place'],
    ['is nothing', undefined, 'is nothing, which is no JSON'],
    ['has a number that JSON lacks', { id: 5n }, 'is no JSON: Do not know how to serialize a BigInt'],
  ])('refuses a message that %s, and names the plugin', async (_, message, reason) => {
    const { url, drop } = await createTestDatabase()
    let publish: (() => Promise<void>) | undefined
    const plugin = definePlugin({
      name: 'notices',
      setup: (host) => {
        const channel = host.channel<unknown>(() => {})
        publish = () => channel.publish(message)
      },
    })
    const octavo = await createOctavo({ plugins: [plugin], database: url, logger: silentLogger })
    await expect(publish?.()).rejects.toThrow(`Plugin "notices": a message of host.channel ${reason}`)
    await octavo.close()
    await drop()
  })

  it('finishes the message that it handles before the database is closed, and takes no further one', async () => {
    const { url, drop } = await createTestDatabase()
    const errors: string[] = []
    const logger: Logger = { ...silentLogger, error: (_, message) => void errors.push(message) }
    const entered = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const found: unknown[] = []
    let publish: (() => Promise<void>) | undefined
    const plugin = definePlugin({
      name: 'notices',
      setup: (host) => {
        const octavo = host.start((running: Octavo) => running)
        const channel = host.channel<string>(async () => {
          entered.resolve()
          await gate.promise
          found.push(await octavo().store.query('select 1'))
        })
        publish = () => channel.publish('new')
      },
    })
    const octavo = await createOctavo({ plugins: [plugin], database: url, logger })
    await publish?.()
    await entered.promise
    const closed = octavo.close()
    // Without waiting for the handler, the database would be closed by then.
    setTimeout(gate.resolve, 500)
    await closed
    expect([found, errors]).toEqual([[[['1']]], []])
    await drop()
  })
})
