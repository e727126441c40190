/** Storage without room answers 503, and leaves nothing behind. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { localDisk, type StorageProvider } from '../src/index.ts'
import { form, openSite } from './site.ts'

it.each(['ENOSPC', 'EDQUOT'])(
  'A provider that finds the disk full (%s) makes an upload a 503',
  async (code) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-full-'))
    const disk = localDisk({ folder })
    let isFull = false
    const provider: StorageProvider = {
      ...disk,
      async put(key, file) {
        if (isFull) throw Object.assign(new Error('write failed'), { code })
        await disk.put(key, file)
      },
    }
    const site = await openSite({ provider })
    const send = () => site.api.post('/api/upload', { body: form([{ content: 'text' }]) })
    try {
      isFull = true
      const { status, body, headers } = await send()
      expect([status, body.error.name, body.error.details.code]).toEqual([
        503,
        'ServiceUnavailableError',
        'server/disk-full',
      ])
      expect(headers.get('retry-after')).toBeNull()
      expect([await readdir(path.join(folder, '.incoming')), await site.rows()]).toEqual([
        [],
        { files: 0, links: 0 },
      ])
      isFull = false
      expect((await send()).status).toBe(200)
    } finally {
      await site.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
