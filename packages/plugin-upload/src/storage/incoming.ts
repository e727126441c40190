import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Something in the folder of arriving files that nothing has written to for {@link abandonedAfter}. */
export interface Abandoned {
  /** The name in the folder: `incoming-1x2y3z`. */
  readonly name: string
  /** Bytes, over all files. */
  readonly size: number
}

/**
 * Milliseconds without a write after which an upload counts as abandoned. A living one cannot pause that long: `limits.idle`
 * ends it, and the whole request has two minutes to arrive.
 */
const abandonedAfter = 3_600_000

/** Finds the uploads and unfinished pictures that a killed process left in `folder`. An absent folder has none. */
export async function findAbandoned(folder: string): Promise<readonly Abandoned[]> {
  const found: Abandoned[] = []
  for (const name of await readdir(folder).catch(none)) {
    const { size, written } = await measure(path.join(folder, name))
    if (written < Date.now() - abandonedAfter) found.push({ name, size })
  }
  return found
}

/** Removes the results of {@link findAbandoned}. */
export const removeAbandoned = (folder: string, { name }: Abandoned): Promise<void> =>
  rm(path.join(folder, name), { recursive: true, force: true })

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

function none(error: NodeJS.ErrnoException): readonly never[] {
  if (error.code !== 'ENOENT') throw error
  return []
}
