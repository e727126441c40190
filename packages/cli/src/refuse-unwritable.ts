import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '@octavo/core/internal'
import { UsageError } from './usage-error.ts'

/**
 * Refuses a file that cannot be written, before the work whose result it is for: an export opens a database, and a comparison takes hours.
 *
 * @param way `replace` when a finished file takes the place of the one that is there, `write` when the file itself is written.
 * @throws UsageError that names the folder
 */
export async function refuseUnwritable(file: string, way: 'replace' | 'write' = 'write'): Promise<void> {
  const there = await stat(file).catch(() => undefined)
  if (there?.isDirectory())
    throw new UsageError(`${file} cannot be written: it is a folder; name a file in it`)
  if (there && way === 'write') return mayWrite(file, file)
  if (there && !there.isFile())
    throw new UsageError(`${file} cannot be written: it is a device or a pipe; the standard output is -`)
  const folder = path.dirname(path.resolve(file))
  const parent = await stat(folder).catch(() => undefined)
  if (!parent?.isDirectory())
    throw new UsageError(
      `${file} cannot be written: ${folder} is ${parent ? 'a file, not a folder' : 'not there; make the folder first'}`,
    )
  await mayWrite(folder, file)
}

/**
 * Makes the folder of a file that is to be written.
 * @throws UsageError that names the folder which stands in the way, or the reason of the system
 */
export async function makeFolderOf(file: string): Promise<void> {
  const folder = path.dirname(path.resolve(file))
  try {
    makeFolder(folder)
  } catch (error) {
    let place = folder
    while (!existsSync(place)) place = path.dirname(place)
    if (!(await stat(place)).isDirectory())
      throw new UsageError(`${file} cannot be written: ${place} is a file, not a folder`, { cause: error })
    await mayWrite(place, file)
    const { message } = error as NodeJS.ErrnoException // of the file system
    throw new UsageError(`${file} cannot be written: ${message}`, { cause: error })
  }
  await mayWrite(folder, file)
}

async function mayWrite(place: string, file: string): Promise<void> {
  await access(place, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'EROFS' ? 'can only be read' : 'is not writable for the user of this process'
    throw new UsageError(`${file} cannot be written: ${place} ${reason}`, { cause: error })
  })
}
