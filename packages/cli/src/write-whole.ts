import { constants } from 'node:fs'
import { access, chmod, lstat, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withPath } from '@octavo/core/internal'
import { makeFolderOf } from './refuse-unwritable.ts'
import { UsageError } from './usage-error.ts'

/**
 * Writes a file as a whole or not at all: a full disk or a signal leaves the former one. A link, a device and a file in a folder that
 * cannot be written are written in place.
 *
 * @throws the error of the system, with the path where the disk is full
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const there = await lstat(file).catch(() => undefined)
  const isReplaceable = !there || (there.isFile() && (await isWritable(path.dirname(path.resolve(file)))))
  const written = isReplaceable ? `${file}.${process.pid}.part` : file
  try {
    await writeFile(written, text, there && { mode: there.mode })
    if (isReplaceable) await replaceBy(written, file)
  } catch (error) {
    if (isReplaceable) await rm(written, { force: true })
    throw withPath(error, file)
  }
}

/** Puts a finished file in the place of one that may be there, and gives it the mode of that one: when a file is made, the umask removes bits from its mode. */
export async function replaceBy(finished: string, file: string): Promise<void> {
  const former = await stat(file).catch(() => undefined)
  if (former) await chmod(finished, former.mode)
  await rename(finished, file)
}

/** Writes files below a folder, each as a whole, and makes their folders. */
export async function writeAllWhole(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const { path: name, text } of files) {
    const file = path.join(folder, name)
    await makeFolderOf(file)
    await writeWhole(file, text)
  }
}

/**
 * Adds a file to a project, and makes its folder.
 * @throws UsageError that says why it cannot be written
 */
export async function addFile(file: string, text: string): Promise<void> {
  await makeFolderOf(file)
  await writeNew(file, text).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EEXIST' ? 'it is there already; choose another name' : error.message
    throw new UsageError(`${file} cannot be written: ${reason}`, { cause: error })
  })
}

/** Writes a file that is not there yet. A file that a full disk cut short is removed. @throws `EEXIST` for a file that is there */
export async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') await rm(file, { force: true })
    throw withPath(error, file)
  })
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
