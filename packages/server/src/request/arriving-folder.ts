import { mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'

/**
 * A new folder for the files of one body. The folder around it is made again where somebody has removed it, as a restore of a backup may do; the
 * one around that is not, since it may be a disk that is not mounted.
 */
export async function newFolderIn(directory: string): Promise<string> {
  const prefix = path.join(directory, 'incoming-')
  try {
    return await mkdtemp(prefix)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(directory, { mode: 0o750 }).catch((made: NodeJS.ErrnoException) => {
      if (made.code !== 'EEXIST') throw error
    })
    return await mkdtemp(prefix)
  }
}
