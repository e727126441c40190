/** A storage that does not delete a file: the entry is gone, and the log says which file is left. */
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { silentLogger } from '@octavo/core'
import { expect, it } from 'vitest'
import { localDisk } from '../src/index.ts'
import { form, openSite, picture } from './site.ts'

it('The log names a file that the storage does not delete, and its other parts are deleted', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const disk = localDisk({ folder })
  const refused: string[] = []
  const provider = {
    ...disk,
    // Throws instead of returning a promise, as a provider without types may, for the first of the parts.
    delete: (key: string): Promise<void> => {
      if (refused.length > 0) return disk.delete(key)
      refused.push(key)
      throw new Error('access denied')
    },
  }
  const logged: { readonly err?: Error }[] = []
  const logger = { ...silentLogger, error: (fields: object) => void logged.push(fields) }
  const site = await openSite({ provider }, { logger: { ...logger, child: () => logger } })
  try {
    const { body } = await site.api.post('/api/upload', {
      body: form([{ name: 'a.png', content: await picture(600, 600) }]),
    })
    const stored = async () => (await readdir(folder)).filter((name) => name.includes(body[0].hash))
    expect((await stored()).length).toBeGreaterThan(1)
    expect((await site.api.delete(`/api/upload/files/${body[0].id}`)).status).toBe(200)
    expect(await stored()).toEqual(refused)
    expect(logged.map(({ err }) => err?.message)).toEqual([
      expect.stringContaining(`has not deleted ${refused[0]}`),
    ])
    expect(logged[0]?.err?.message).toContain('access denied')
  } finally {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
})

it('media check --delete names a file that the storage does not delete, and removes the others', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const disk = localDisk({ folder })
  const remove = async (key: string): Promise<void> => {
    if (key === 'a.txt') throw new Error('access denied')
    await disk.delete(key)
  }
  const site = await openSite({ provider: { ...disk, delete: remove } })
  try {
    for (const name of ['a.txt', 'b.txt']) {
      await writeFile(path.join(folder, name), 'xyz')
      await utimes(path.join(folder, name), 1, 1)
    }
    const lines: string[] = []
    const command = site.server.octavo.commands.get('media check')
    const agree = await command?.run(site.server.octavo, new Set(['delete']), (line) => lines.push(line))
    expect([agree, lines.toSorted()]).toEqual([
      false,
      [
        'a.txt: a file without a row (3 bytes); it could not be removed: The storage "local" failed in delete: access denied',
        'b.txt: a file without a row (3 bytes); removed',
      ],
    ])
    expect((await readdir(folder)).filter((name) => name.endsWith('.txt'))).toEqual(['a.txt'])
  } finally {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
})
