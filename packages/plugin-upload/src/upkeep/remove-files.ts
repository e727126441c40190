import path from 'node:path'
import type { EntryInput, PluginHost, WriteEvent } from '@octavo/core/plugin'
import { fileUid } from '../content-type/file-type.ts'
import { type Files, keysIn } from '../files/files.ts'
import type { Library } from '../files/library.ts'
import { keysOf } from '../files/record.ts'
import type { LaterFormats } from '../pictures/later-formats.ts'
import type { Variants } from '../pictures/variants.ts'

interface Running {
  readonly files: Files
  readonly later: LaterFormats
}

/** Removes the files of a row after the commit that deleted it or gave it other files, and starts pending formats. */
export function addFileRemoval(
  host: PluginHost,
  running: () => Running,
  library: Library,
  variants: Variants | undefined,
): void {
  const former = new WeakMap<EntryInput, readonly string[]>()
  const types = [fileUid]
  const remember = async ({ id, input, entries }: WriteEvent): Promise<void> => {
    if (id !== undefined) former.set(input, await keysIn(entries, id))
  }
  host.hook('entry:beforeUpdate', remember, { types })
  host.hook('entry:beforeDelete', remember, { types })
  const cleanUp = async ({ action, id, input, remains }: Omit<WriteEvent, 'entries'>): Promise<void> => {
    if (id === undefined) return
    const { files, later } = running()
    if (action !== 'delete' && typeof input.pendingFormats === 'string') later.add(id)
    const keys = former.get(input)
    if (!keys) return
    const row = action === 'delete' && !remains ? undefined : await files.row(id)
    const current = row ? keysOf({ ...row, ext: row.ext ?? '' }) : []
    await library.discard(keys.filter((key) => !current.includes(key)))
    const [original = ''] = keys
    await variants?.discard(path.basename(original, path.extname(original)))
  }
  host.hook('entry:committed', cleanUp, { types })
}
