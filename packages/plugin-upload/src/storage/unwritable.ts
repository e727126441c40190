import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Logger } from '@octavo/core'
import type { StorageProvider } from './provider.ts'

/**
 * Warns of folders into which this process cannot write. A server that only reads files may be meant so, and starts; on any other one each upload
 * would fail, and nobody would know before the first.
 */
export async function warnOfUnwritable(provider: StorageProvider, logger: Logger): Promise<void> {
  const { serving, incoming } = provider
  const folders = [serving?.kind === 'folder' ? serving.folder : undefined, incoming]
  for (const folder of folders) {
    if (folder === undefined) continue
    try {
      await access(folder, constants.W_OK | constants.X_OK)
    } catch (error) {
      // The first upload makes it.
      if (folder === incoming && (error as NodeJS.ErrnoException).code === 'ENOENT') continue
      return logger.warn({ folder, err: error }, 'Uploads will fail: the folder of files cannot be written')
    }
  }
}
