import { createReadStream } from 'node:fs'
import { chmod, copyFile, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { checkOptions, type KeysOf } from '@octavo/core/internal'
import { partName } from './abandoned.ts'
import { isKey, withoutSlash } from './names.ts'
import type { StorageProvider } from './provider.ts'

export interface LocalDiskOptions {
  /** The folder of the files. Default `public/uploads`, relative to the working directory. */
  readonly folder?: string
  /** Prepended to `/uploads/…` in the addresses of files: `https://media.example.com`. Default: empty, for relative addresses. */
  readonly baseUrl?: string
}

const optionKeys = { folder: true, baseUrl: true } as const satisfies KeysOf<LocalDiskOptions>

/** The server's user may read and write, its group may read. */
const fileMode = 0o640

/** Stores files in a folder, from which the server answers `/uploads/…`. */
export function localDisk(options: LocalDiskOptions = {}): StorageProvider {
  checkOptions(options, optionKeys, 'localDisk')
  const { folder = 'public/uploads', baseUrl = '' } = options
  const root = path.resolve(folder)
  const at = (key: string): string => {
    // The plugin generates all keys, so a key outside of the folder is a bug and must not reach the disk.
    if (!isKey(key)) throw new Error(`"${key}" is no key of a file`)
    return path.join(root, key)
  }
  return {
    name: 'local',
    incoming: path.join(root, '.incoming'),
    serving: { kind: 'folder', folder: root },
    async put(key, file) {
      const target = at(key)
      // Of this call alone: another process may store a file under the same key at the same time. `list` leaves it out.
      const part = path.join(root, partName())
      try {
        await rename(file.path, part).catch(async (error: NodeJS.ErrnoException) => {
          // The file arrived on another device, from which it cannot be moved.
          if (error.code !== 'EXDEV') throw error
          await copyFile(file.path, part)
        })
        await chmod(part, fileMode)
        // The time when it is stored: a file that has waited long for its pictures would be taken for one without a row.
        await utimes(part, new Date(), new Date())
        await flush(part)
        await rename(part, target)
        await flushFolder(root)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    url: (key) => `${withoutSlash(baseUrl)}/uploads/${key}`,
    async open(key) {
      const found = await stat(at(key)).catch(unlessMissing)
      return found?.isFile() ? { size: found.size, stream: createReadStream(at(key)) } : undefined
    },
    delete: (key) => rm(at(key), { force: true }),
    async *list(prefix) {
      // Before the first server there is no folder.
      for await (const entry of (await opendir(root).catch(unlessMissing)) ?? []) {
        if (!entry.isFile() || entry.name.startsWith('.') || !entry.name.startsWith(prefix)) continue
        const found = await stat(path.join(root, entry.name)).catch(unlessMissing)
        if (found) yield { key: entry.name, size: found.size, modified: found.mtime }
      }
    },
  }
}

/** Waits until the disk has a file: its row is committed next, which a power cut must not leave without it. */
async function flush(path: string, mode = 'r+'): Promise<void> {
  const handle = await open(path, mode)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Waits until the disk has the names in a folder. Windows opens no folders, and writes their names by itself. */
const flushFolder = async (path: string): Promise<void> =>
  process.platform === 'win32' ? undefined : flush(path, 'r')

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
