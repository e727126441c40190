import { createOctavo, type Logger, type Octavo, silentLogger } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'
import { describe, expect, it } from 'vitest'

describe('A channel of a plugin', () => {
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
