/** A storage that takes in a file slowly holds up nothing but the request of that file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { localDisk } from '../src/index.ts'
import { form, openSite } from './site.ts'

/** Milliseconds for a transaction between two statements: long enough for those of this test, on any machine. */
const transactionTime = 2_000

it('A replacement that takes long in the storage holds up neither other requests nor changes of the same file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const disk = localDisk({ folder })
  const [stores, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSlow = false
  const provider = {
    ...disk,
    put: async (...given: Parameters<typeof disk.put>) => {
      if (isSlow) {
        stores.resolve()
        await goesOn.promise
        await setTimeout(2 * transactionTime)
      }
      return disk.put(...given)
    },
  }
  const site = await openSite({ provider }, { limits: { transactionTime } })
  try {
    const { body } = await site.api.post('/api/upload', { body: form([{ content: 'before' }]) })
    isSlow = true
    const longer = 'a longer text than before'
    const replacing = site.api.post(`/api/upload?id=${body[0].id}`, { body: form([{ content: longer }]) })
    await stores.promise
    const entry = await site.api.post('/api/articles', { body: { data: { title: 'Meanwhile' } } })
    const caption = 'Old and new'
    const info = form([], { fileInfo: { caption } })
    const changed = await site.api.post(`/api/upload?id=${body[0].id}`, { body: info })
    expect([entry.status, changed.status, changed.body.size]).toEqual([200, 200, 0.01])
    goesOn.resolve()
    expect(await replacing).toMatchObject({ status: 200, body: { caption, size: 0.03 } })
    const stored = await fetch(new URL(body[0].url, site.url))
    expect(await stored.text()).toBe(longer)
  } finally {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
})
