/** A hook, or the work of a transaction, that never ends does not hold a connection or its entry for ever. */
import { unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { describe, expect, it } from 'vitest'
import { openSite } from '../support/site.ts'

/** Long enough for the writes before, on any machine. */
const transactionTime = 5_000

/** Keeps the process busy while the time of a transaction ends, so that all of its limits are noticed together. */
function beBusyAtTheEnd(): void {
  setTimeout(() => {
    const end = performance.now() + 600
    while (performance.now() < end);
  }, transactionTime - 300)
}

describe('A write whose hook never returns', () => {
  it.each([
    ['a process with nothing else to do', () => {}],
    ['a busy process', beBusyAtTheEnd],
  ])('is undone and answered with a 503, and its connection is free again: %s', async (_, meanwhile) => {
    let isHanging = false
    const hanging = definePlugin({
      name: 'hanging',
      setup: (host) => {
        host.hook('entry:afterUpdate', () => (isHanging ? new Promise<void>(() => {}) : undefined))
      },
    })
    const site = await openSite({ plugins: [hanging], connections: 1, limits: { transactionTime } })
    isHanging = true
    // Node.js runs the timers of one length together, in the order of the first of them.
    setTimeout(() => {}, transactionTime)
    await new Promise((resolve) => setTimeout(resolve, 20))
    meanwhile()
    const { status, body } = await site.api.put('/api/articles/1', { body: { data: { title: 'New' } } })
    expect([status, body.error.details.code]).toEqual([503, 'entry/transaction-time'])
    expect((await site.api.get('/api/articles/1')).body.data.attributes.title).toBe('One')
    await site.close()
  })
})

describe('A transaction of a program whose work never ends', () => {
  it('is undone, and its connection is free again', async () => {
    const site = await openSite({ connections: 1, limits: { transactionTime } })
    const hanging = site.server.octavo.transaction(async (tx) => {
      await tx.entries('article').update(1, { title: 'New' })
      await new Promise<void>(() => {})
    }, unrestricted('changes a title'))
    await expect(hanging).rejects.toMatchObject({ status: 503, code: 'database/idle-transaction' })
    expect((await site.api.get('/api/articles/1')).body.data.attributes.title).toBe('One')
    await site.close()
  })
})
