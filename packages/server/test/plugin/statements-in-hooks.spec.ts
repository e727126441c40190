/** Statements of hooks and transactions that do not use the running transaction. */
import type { Octavo } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { testEngine } from '@octavo/testing'
import { describe, expect, it } from 'vitest'
import { openSite } from '../support/site.ts'

const isEmbedded = testEngine() === 'pglite'

/** Reads or writes through `octavo` in a write hook. */
async function siteWith(use: (octavo: Octavo) => Promise<unknown>) {
  let isOn = false
  const plugin = definePlugin({
    name: 'counter',
    setup: (host) => {
      const octavo = host.start((running) => running)
      host.hook('entry:afterUpdate', async () => void (isOn && (await use(octavo()))))
    },
  })
  const site = await openSite({ plugins: [plugin] })
  isOn = true
  return site
}

const uses: Record<string, (octavo: Octavo) => Promise<unknown>> = {
  'octavo.entries().find': (octavo) => octavo.entries('author').find(),
  'octavo.entries().create': (octavo) => octavo.entries('author').create({ name: 'Grace' }),
  'octavo.store.rows': (octavo) =>
    octavo.store.rows(octavo.registry.contentType('api::author.author')).find({}),
}

describe('In a write hook', () => {
  it.each(Object.entries(uses))(
    '%s has a connection of its own; the embedded database, which has one, refuses it',
    async (_name, use) => {
      const site = await siteWith(use)
      const { status } = await site.api.put('/api/articles/1', { body: { data: { title: 'New' } } })
      expect(status).toBe(isEmbedded ? 500 : 200)
      const errors = site.log
        .filter(({ level }) => level === 'error')
        .map(({ fields }) => String(Object(fields).err))
      if (isEmbedded) {
        expect(errors).toEqual([expect.stringMatching(/counter.*entry:afterUpdate.*event\.entries/s)])
        expect((await site.api.get('/api/articles/1')).body.data.attributes.title).toBe('One')
      } else expect(errors).toEqual([])
      await site.close()
    },
  )
})

it.runIf(isEmbedded)('octavo.transaction refuses statements that do not use its scope', async () => {
  const site = await openSite()
  const { octavo } = site.server
  await expect(octavo.transaction(() => octavo.entries('author').find())).rejects.toThrow(/its scope/)
  expect((await octavo.entries('author').find()).data).toHaveLength(1)
  await site.close()
})
