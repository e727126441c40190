import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Logger } from '@octavo/core'
import { makeFolder } from '@octavo/core/internal'
import { findAbandoned, removeAbandoned } from './abandoned.ts'
import type { StorageProvider } from './provider.ts'

/** The server's user may read and write, its group may read. */
const folderMode = 0o750

/**
 * Prepares the folders of a provider for a server: makes the folder where uploads arrive, and removes the remains of killed processes.
 *
 * A folder that this process cannot write into is a warning. A server that only reads files may start; on any other server each
 * upload would fail, and the warning is the only sign before the first.
 * @throws Error of the system when the folder cannot be made
 */
export async function prepareFolders(provider: StorageProvider, logger: Logger): Promise<void> {
  const { serving, incoming } = provider
  if (incoming !== undefined) makeFolder(incoming, folderMode)
  for (const abandoned of await findAbandoned(provider)) await removeAbandoned(abandoned)
  const folders = [serving?.kind === 'folder' ? serving.folder : undefined, incoming]
  for (const folder of folders) {
    if (folder === undefined) continue
    try {
      await access(folder, constants.W_OK | constants.X_OK)
    } catch (error) {
      return logger.warn({ folder, err: error }, 'Uploads will fail: the folder of files cannot be written')
    }
  }
}
