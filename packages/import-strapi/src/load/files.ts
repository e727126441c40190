import { createWriteStream } from 'node:fs'
import { mkdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileUid } from '../model/uids.ts'
import type { Data } from '../records.ts'
import type { Source } from '../source/source.ts'

export interface CopiedFiles {
  /** Files of the media library and their smaller sizes, that are stored with the server. */
  readonly wanted: number
  readonly copied: number
  /** Files that existed already, with the same size. */
  readonly there: number
  /** Names in rows without a file in the source. */
  readonly missing: readonly string[]
  /** Files at a provider such as S3, which are not copied. */
  readonly elsewhere: number
}

/** How many names of missing files are listed. */
const listedMissing = 20

/**
 * Copies the files of the media library into a folder, under the names that their addresses end with. Files that are there
 * with the same size are not copied again, so that an interrupted copy is continued.
 */
export async function copyFiles(
  source: Source,
  folder: string,
  onProgress: (copied: number, name: string) => void = () => {},
): Promise<CopiedFiles> {
  const { names, elsewhere } = await namesOfFiles(source)
  await mkdir(folder, { recursive: true })
  const missing = new Set(names.values())
  let copied = 0
  let there = 0
  for await (const file of source.files()) {
    const name = names.get(file.name)
    if (name === undefined) continue
    missing.delete(name)
    const target = path.join(folder, name)
    const known = await stat(target).catch(() => undefined)
    if (known?.isFile() && known.size === file.size) {
      there++
      continue
    }
    const unfinished = `${target}.part`
    await pipeline(file.open(), createWriteStream(unfinished, { mode: 0o640 }))
    await rename(unfinished, target)
    onProgress(++copied, name)
  }
  return {
    wanted: new Set(names.values()).size,
    copied,
    there,
    missing: [...missing].slice(0, listedMissing),
    elsewhere,
  }
}

/** The name in the folder by the name in an archive (`hash` and `ext`), and by the name in the folder itself. */
async function namesOfFiles(
  source: Source,
): Promise<{ readonly names: ReadonlyMap<string, string>; readonly elsewhere: number }> {
  const names = new Map<string, string>()
  let elsewhere = 0
  for await (const batch of source.entities()) {
    for (const { type, data } of batch) {
      if (type !== fileUid) continue
      if (!isLocal(data)) elsewhere++
      else for (const file of [data, ...formatsOf(data.formats)]) addName(names, file)
    }
  }
  return { names, elsewhere }
}

const isLocal = ({ provider, url }: Data): boolean =>
  (provider ?? 'local') === 'local' && typeof url === 'string' && !/^https?:/.test(url)

function addName(names: Map<string, string>, { url, hash, ext }: Data): void {
  const name = typeof url === 'string' ? path.posix.basename(url) : ''
  // A name that is no plain one leads elsewhere, and no key of the provider has such a form.
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) return
  if (typeof hash === 'string') names.set(`${hash}${typeof ext === 'string' ? ext : ''}`, name)
  names.set(name, name)
}

function formatsOf(formats: unknown): readonly Data[] {
  if (typeof formats === 'string') {
    try {
      return formatsOf(JSON.parse(formats))
    } catch {
      return []
    }
  }
  return typeof formats === 'object' && formats !== null ? (Object.values(formats) as Data[]) : []
}
