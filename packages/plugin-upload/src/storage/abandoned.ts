import { randomUUID } from 'node:crypto'
import { opendir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { StorageProvider } from './provider.ts'

/** Something that a killed process left in a folder of a provider. */
export interface Abandoned {
  /** The name of the file or folder: `incoming-1x2y3z`. */
  readonly name: string
  readonly path: string
  /** Bytes, over all files. */
  readonly size: number
}

/**
 * Milliseconds without a write after which an unfinished file counts as abandoned. A file in use cannot pause that long: `limits.idle`
 * ends an upload, the whole request has two minutes to arrive, and a copy writes without a pause. A server that hung for longer fails to store the
 * file, since it is gone.
 */
const abandonedAfter = 3_600_000

/** The names of bodies that arrive, and of pictures that are made, in the folder `incoming`. */
const arriving = /^(?:incoming|formats|variant)-/

/** The name of a new file that is made beside the stored ones: no key begins with a dot. */
export const partName = (): string => `.${randomUUID()}.part`
const part = /^\.[0-9a-f-]{36}\.part$/

/** Finds what killed processes left: uploads and unfinished pictures in `incoming`, parts beside the stored files. An absent folder has none. */
export async function findAbandoned({
  incoming,
  serving,
}: Pick<StorageProvider, 'incoming' | 'serving'>): Promise<readonly Abandoned[]> {
  const stored = serving?.kind === 'folder' ? serving.folder : undefined
  return [...(await olderIn(incoming, arriving)), ...(await olderIn(stored, part))]
}

/** Removes a result of {@link findAbandoned}. */
export const removeAbandoned = (abandoned: Abandoned): Promise<void> =>
  rm(abandoned.path, { recursive: true, force: true })

async function olderIn(folder: string | undefined, names: RegExp): Promise<readonly Abandoned[]> {
  if (folder === undefined) return []
  const found: Abandoned[] = []
  for await (const { name } of await opendir(folder).catch(none)) {
    if (!names.test(name)) continue
    const place = path.join(folder, name)
    const { size, written } = await measure(place)
    if (written < Date.now() - abandonedAfter) found.push({ name, path: place, size })
  }
  return found
}

/** The bytes and the latest write of a file, or of all that a folder contains. */
async function measure(place: string): Promise<{ readonly size: number; readonly written: number }> {
  const found = await stat(place).catch(none)
  // Another process has just moved it away: it is not abandoned.
  if (!('mtimeMs' in found)) return { size: 0, written: Number.POSITIVE_INFINITY }
  if (!found.isDirectory()) return { size: found.size, written: found.mtimeMs }
  const inside = await Promise.all(
    (await readdir(place).catch(none)).map((name) => measure(path.join(place, name))),
  )
  return {
    size: inside.reduce((sum, { size }) => sum + size, 0),
    written: Math.max(found.mtimeMs, ...inside.map(({ written }) => written)),
  }
}

function none(error: NodeJS.ErrnoException): never[] {
  if (error.code !== 'ENOENT') throw error
  return []
}
