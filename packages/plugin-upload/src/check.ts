import type { Octavo } from '@octavo/core'
import { fileUid } from './content-type.ts'
import { findAbandoned, removeAbandoned } from './incoming.ts'
import { keysOf } from './library.ts'
import type { StorageProvider } from './provider.ts'
import { originalOf } from './variants.ts'

/** What rows and files do not agree on. */
interface Discrepancies {
  /** Files that no row tells of, with their bytes: of a process that was killed, or put there by hand. */
  readonly withoutRow: readonly { readonly key: string; readonly size: number }[]
  /** Files that rows tell of and the provider does not have. */
  readonly withoutFile: readonly { readonly id: number; readonly key: string }[]
}

/** Milliseconds in which the row of a file that is there surely comes, too. */
const arrivalTime = 3_600_000

/** Compares the rows of files with what the provider has; in memory are the names of all. */
async function findDiscrepancies(
  { store, registry }: Octavo,
  provider: StorageProvider,
): Promise<Discrepancies> {
  const { table } = registry.contentType(fileUid)
  const rows = await store.query(
    `select "id"::text, "hash", "ext", "formats"::text from "${table}" where "provider" = $1`,
    [provider.name],
  )
  const wanted = new Map<string, number>()
  for (const [id, hash, ext, formats] of rows) {
    const stored = {
      hash: String(hash),
      ext: String(ext ?? ''),
      formats: formats === null ? null : JSON.parse(String(formats)),
    }
    for (const key of keysOf(stored)) wanted.set(key, Number(id))
  }
  const hashes = new Set(rows.map(([, hash]) => String(hash)))
  const there = new Set<string>()
  const withoutRow: { key: string; size: number }[] = []
  for await (const file of provider.list('')) {
    there.add(file.key)
    const original = originalOf(file.key)
    const arriving = file.modified.getTime() > Date.now() - arrivalTime
    if (!arriving && !wanted.has(file.key) && !(original !== undefined && hashes.has(original)))
      withoutRow.push(file)
  }
  const withoutFile = [...wanted].filter(([key]) => !there.has(key)).map(([key, id]) => ({ id, key }))
  return { withoutRow, withoutFile }
}

/** `octavo media check`. @returns whether rows and files agree, in the end */
export async function checkMedia(
  octavo: Octavo,
  provider: StorageProvider,
  deletes: boolean,
  print: (line: string) => void,
): Promise<boolean> {
  const abandoned = provider.incoming === undefined ? [] : await findAbandoned(provider.incoming)
  for (const upload of abandoned) {
    if (deletes && provider.incoming !== undefined) await removeAbandoned(provider.incoming, upload)
    print(`${upload.name}: an upload that never finished (${upload.size} bytes)${deletes ? '; removed' : ''}`)
  }
  const { withoutRow, withoutFile } = await findDiscrepancies(octavo, provider)
  for (const { key, size } of withoutRow) {
    if (deletes) await provider.delete(key)
    print(`${key}: no row tells of it (${size} bytes)${deletes ? '; removed' : ''}`)
  }
  for (const { id, key } of withoutFile) print(`${key}: file ${id} tells of it, and it is not there`)
  const left = (deletes ? 0 : withoutRow.length + abandoned.length) + withoutFile.length
  if (left === 0) print('Files and rows agree')
  return left === 0
}
