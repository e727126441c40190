/** A storage that takes in a file slowly: the row of its replacement is written all the same. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { localDisk } from '../src/index.ts'
import { form, openSite } from './site.ts'

/** Milliseconds for a transaction between two statements: long enough for those of this test, on any machine. */
const transactionTime = 2_000

it('A replacement may take longer in the storage than its transaction may wait', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const disk = localDisk({ folder })
  let isSlow = false
  const provider = {
    ...disk,
    put: async (...given: Parameters<typeof disk.put>) => {
      if (isSlow) await setTimeout(2 * transactionTime)
      return disk.put(...given)
    },
  }
  const site = await openSite({ provider }, { limits: { transactionTime } })
  try {
    const { body } = await site.api.post('/api/upload', { body: form([{ content: 'before' }]) })
    isSlow = true
    const longer = 'a longer text than before'
    const answer = await site.api.post(`/api/upload?id=${body[0].id}`, { body: form([{ content: longer }]) })
    expect(answer.status).toBe(200)
    const stored = await fetch(new URL(body[0].url, site.url))
    expect(await stored.text()).toBe(longer)
  } finally {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
})
