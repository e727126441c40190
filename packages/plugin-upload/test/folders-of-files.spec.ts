/** The folder of files in uncommon states: on two devices, removed, not there. */
import fs from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createOctavo, type Logger, silentLogger } from '@octavo/core'
import { octavoOptions } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localDisk, upload } from '../src/index.ts'
import { form, openSite, type Site } from './site.ts'

let folder: string
let site: Site | undefined
const folders: string[] = []
const newFolder = async (parent: string): Promise<string> => {
  const made = await mkdtemp(path.join(parent, 'octavo-folder-'))
  folders.push(made)
  return made
}
beforeEach(async () => {
  folder = await newFolder(tmpdir())
})
afterEach(async () => {
  await site?.close()
  site = undefined
  for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true })
})

const send = async () => {
  const { status, body } = await (site as Site).api.post('/api/upload', { body: form([{ content: 'text' }]) })
  return { status, url: body[0]?.url as string | undefined }
}
const incoming = () => path.join(folder, '.incoming')

/** A folder on another device than the temporary ones, where there is one. */
const otherDevice = ['/dev/shm'].find(
  (place) => fs.existsSync(place) && fs.statSync(place).dev !== fs.statSync(tmpdir()).dev,
)

describe('localDisk', () => {
  it('makes its folder when a server starts, and a program without one reads an empty storage', async () => {
    const made = path.join(folder, 'media/of/site')
    const plugins = [upload({ provider: localDisk({ folder: made }) })]
    const { url: database, drop } = await createTestDatabase()
    const octavo = await createOctavo(octavoOptions({ plugins, database, logger: silentLogger }))
    const lines: string[] = []
    const check = octavo.commands.get('media check')
    expect(await check?.run(octavo, new Set(['delete']), (line) => lines.push(line))).toBe(true)
    await octavo.close()
    await drop()
    expect([lines, await readdir(folder)]).toEqual([['Files and rows agree'], []])
    site = await openSite({ provider: localDisk({ folder: made }) })
    expect(await readdir(made)).toEqual(['.incoming'])
  })

  it('does not let a server start that cannot make it', async () => {
    await writeFile(path.join(folder, 'file'), '')
    const opening = openSite({ provider: localDisk({ folder: path.join(folder, 'file/media') }) })
    await expect(opening).rejects.toThrow(/server:start.*ENOTDIR/s)
  })

  it.runIf(otherDevice)(
    'leaves nothing of a file that arrives on another device when it cannot be stored',
    async () => {
      await symlink(await newFolder(otherDevice ?? ''), incoming())
      const disk = localDisk({ folder })
      const keys: string[] = []
      // The key is that of a folder, over which no file can be moved.
      const put: typeof disk.put = async (key, file) => {
        keys.push(key)
        await mkdir(path.join(folder, key))
        await disk.put(key, file)
      }
      site = await openSite({ provider: { ...disk, put, delete: async () => {} } })
      expect((await send()).status).toBe(500)
      expect((await readdir(folder)).sort()).toEqual(['.incoming', ...keys])
      expect(await readdir(incoming())).toEqual([])
    },
  )

  it.runIf(otherDevice)('stores files that arrive on another device', async () => {
    await symlink(await newFolder(otherDevice ?? ''), incoming())
    site = await openSite({ provider: localDisk({ folder }) })
    const { status, url } = await send()
    expect(status).toBe(200)
    expect((await fetch(site.url + url)).status).toBe(200)
    expect((await readdir(folder)).sort()).toEqual(['.incoming', path.basename(url ?? '')])
    expect(await readdir(incoming())).toEqual([])
  })

  it('makes the folder of arriving files again when a restore has removed it', async () => {
    site = await openSite({ provider: localDisk({ folder }) })
    await rm(incoming(), { recursive: true })
    expect((await send()).status).toBe(200)
  })

  it('does not make the folder of files again, which may be a disk that is not mounted', async () => {
    site = await openSite({ provider: localDisk({ folder }) })
    await rm(folder, { recursive: true })
    expect((await send()).status).toBe(500)
    expect(fs.existsSync(folder)).toBe(false)
  })
})

it('A folder of files that cannot be written is a warning at the start', async () => {
  const lines: { folder?: unknown; message: string }[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (fields, message) => void lines.push({ ...fields, message }),
    child: () => logger,
  }
  const gone = path.join(folder, 'gone')
  // A provider whose uploads arrive elsewhere, so that the server starts.
  site = await openSite({ provider: { ...localDisk({ folder: gone }), incoming: incoming() } }, { logger })
  expect(lines).toContainEqual(
    expect.objectContaining({
      folder: gone,
      message: 'Uploads will fail: the folder of files cannot be written',
    }),
  )
  expect((await send()).status).toBe(500)
  await mkdir(gone)
  expect((await send()).status).toBe(200)
})
