import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Pack } from 'tar-stream'
import type { Data } from '../records.ts'

/** Adds the bytes of files and of their smaller sizes, each with its metadata. @returns names that the folder does not have. */
export async function addAssets(
  tar: Pack,
  files: readonly Data[],
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const file of files) {
    signal?.throwIfAborted()
    await add(file, file)
    for (const [type, format] of Object.entries((file.formats as Record<string, Data> | null) ?? {}))
      await add(format, { ...format, type, id: file.id, mainHash: file.hash })
  }
  return missing

  async function add({ url, hash, ext }: Data, metadata: Data): Promise<void> {
    const stored = path.posix.basename(String(url))
    // Files at a provider have an address of their own, and stay there.
    if (/^https?:/.test(String(url)) || !/^[\w.-]+$/.test(stored)) return
    const place = path.join(folder, stored)
    const found = await stat(place).catch(() => undefined)
    if (!found?.isFile()) {
      missing.push(stored)
      return
    }
    const name = `${hash}${ext ?? ''}`
    tar.entry({ name: `assets/metadata/${name}.json` }, JSON.stringify(metadata))
    await pipeline(createReadStream(place), tar.entry({ name: `assets/uploads/${name}`, size: found.size }))
  }
}
