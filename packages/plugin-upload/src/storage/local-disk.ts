import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, opendir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type KeysOf, refuseUnknownKeys } from '@octavo/core/internal'
import { findAbandoned, removeAbandoned } from './incoming.ts'
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
const folderMode = 0o750

/** Stores files in a folder, from which the server answers `/uploads/…`. */
export function localDisk(options: LocalDiskOptions = {}): StorageProvider {
  refuseUnknownKeys(options, optionKeys, 'localDisk')
  const { folder = 'public/uploads', baseUrl = '' } = options
  const root = path.resolve(folder)
  const incoming = path.join(root, '.incoming')
  const at = (key: string): string => {
    // The plugin generates all keys, so a key outside of the folder is a bug and must not reach the disk.
    if (!isKey(key)) throw new Error(`"${key}" is no key of a file`)
    return path.join(root, key)
  }
  return {
    name: 'local',
    incoming,
    serving: { kind: 'folder', folder: root },
    async start() {
      await mkdir(incoming, { recursive: true, mode: folderMode })
      // Another process may be receiving files: only files without recent writes are removed.
      for (const abandoned of await findAbandoned(incoming)) await removeAbandoned(incoming, abandoned)
    },
    async put(key, file) {
      const target = at(key)
      // Of this call alone: another process may store a file under the same key at the same time.
      const part = `${key}.${randomUUID()}.part`
      const moved = path.join(incoming, part)
      // Where the folder of arriving files is on another device than that of the files. `list` leaves it out.
      const beside = path.join(root, `.${part}`)
      try {
        await rename(file.path, moved).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EXDEV') throw error
          await copyFile(file.path, moved)
        })
        await chmod(moved, fileMode)
        await rename(moved, target).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EXDEV') throw error
          await copyFile(moved, beside)
          await rename(beside, target)
          await rm(moved)
        })
      } catch (error) {
        await Promise.all([moved, beside].map((file) => rm(file, { force: true })))
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
      for await (const entry of await opendir(root)) {
        if (!entry.isFile() || entry.name.startsWith('.') || !entry.name.startsWith(prefix)) continue
        const found = await stat(path.join(root, entry.name)).catch(unlessMissing)
        if (found) yield { key: entry.name, size: found.size, modified: found.mtime }
      }
    },
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
