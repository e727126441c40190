/** Storage without room answers 503, and leaves nothing behind. */
import fs from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
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

it.each([
  ['its only part', 1, 0],
  ['its last part', 200_000, 1],
])(
  'A disk that is full when a file arrives makes the upload a 503, also where %s alone is not written',
  async (_part, size, written) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-full-'))
    const site = await openSite({ provider: localDisk({ folder }) })
    const { write } = fs
    // The system takes the first so many parts of a file.
    let room = written
    const full = vi.spyOn(fs, 'write').mockImplementation(((...args: readonly unknown[]) => {
      room -= 1
      if (room >= 0) return (write as (...args: readonly unknown[]) => void)(...args)
      const done = args.at(-1) as (error: Error) => void
      setImmediate(
        done,
        Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
      )
    }) as never)
    try {
      const { status, body } = await site.api.post('/api/upload', {
        body: form([{ content: 'x'.repeat(size) }]),
      })
      expect([status, body.error?.details.code]).toEqual([503, 'server/disk-full'])
      expect([await readdir(path.join(folder, '.incoming')), await site.rows()]).toEqual([
        [],
        { files: 0, links: 0 },
      ])
    } finally {
      full.mockRestore()
      await site.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
