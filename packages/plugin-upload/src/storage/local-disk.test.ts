import { existsSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { silentLogger } from '@octavo/core'
import { expect, it, vi } from 'vitest'
import { prepareFolders } from './folders.ts'
import { localDisk } from './local-disk.ts'

// The system denies that /proc exists. The test would never end if the start tried again.
it.runIf(process.platform === 'linux')(
  'A start ends with the reason when the system does not make the folder',
  async () => {
    await expect(prepareFolders(localDisk({ folder: '/proc/octavo/files' }), silentLogger)).rejects.toThrow(
      "ENOENT: no such file or directory, mkdir '/proc/octavo'",
    )
  },
)

it.runIf(process.platform === 'linux')(
  'The disk has a stored file before its name, and the name before the upload goes on',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-disk-'))
    const file = path.join(folder, 'arrived')
    await writeFile(file, 'text')
    const handle = await open(file)
    const flushed: (readonly [of: string, isNamed: boolean])[] = []
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async function (
      this: FileHandle,
    ) {
      const of = await readlink(`/proc/self/fd/${this.fd}`)
      flushed.push([of === folder ? 'the folder' : 'a file', existsSync(path.join(folder, 'a.txt'))])
    })
    await localDisk({ folder }).put('a.txt', { path: file, size: 4, mime: 'text/plain' })
    sync.mockRestore()
    await handle.close()
    await rm(folder, { recursive: true })
    expect(flushed).toEqual([
      ['a file', false],
      ['the folder', true],
    ])
  },
)
