import type { Octavo } from '@octavo/core'
import { fileUid } from '../content-type/file-type.ts'
import { type FileRow, keysOf } from '../files/record.ts'
import { originalOf } from '../pictures/variants.ts'
import { findAbandoned, removeAbandoned } from '../storage/abandoned.ts'
import type { StorageProvider } from '../storage/provider.ts'

type ProvidedRow = FileRow & { readonly provider: string }

interface Discrepancies {
  /** Files without a row, with their size in bytes: left by a process that was killed, or put there by hand. */
  readonly withoutRow: readonly { readonly key: string; readonly size: number }[]
  /** Rows whose files the provider does not have. */
  readonly withoutFile: readonly { readonly id: number; readonly key: string }[]
  /** How many files without a row are so young that they may be those of uploads in progress. */
  readonly arriving: number
}

/** Milliseconds within which the row of a new file is certain to be written. */
const arrivalTime = 3_600_000

/** Compares the rows of files with the provider's list. The keys of all files are in memory meanwhile. */
async function findDiscrepancies(
  { store, registry }: Octavo,
  provider: StorageProvider,
): Promise<Discrepancies> {
  const rows = await store
    .rows<ProvidedRow>(registry.contentType(fileUid))
    .find({ select: ['id', 'hash', 'ext', 'formats', 'provider'] })
  const referenced = new Map<string, Pick<ProvidedRow, 'id' | 'provider'>>()
  for (const row of rows) for (const key of keysOf({ ...row, ext: row.ext ?? '' })) referenced.set(key, row)
  const hashes = new Set(rows.map(({ hash }) => hash))
  const there = new Set<string>()
  const withoutRow: { key: string; size: number }[] = []
  let arriving = 0
  for await (const file of provider.list('')) {
    there.add(file.key)
    const original = originalOf(file.key)
    if (referenced.has(file.key) || (original !== undefined && hashes.has(original))) continue
    if (file.modified.getTime() > Date.now() - arrivalTime) arriving++
    else withoutRow.push(file)
  }
  // An imported row may have the name that its provider had in Strapi: its file can be here, or elsewhere.
  const withoutFile = [...referenced]
    .filter(([key, row]) => row.provider === provider.name && !there.has(key))
    .map(([key, { id }]) => ({ id, key }))
  return { withoutRow, withoutFile, arriving }
}

/** `octavo media check`. @returns whether rows and files agree afterwards */
export async function checkMedia(
  octavo: Octavo,
  provider: StorageProvider,
  deletes: boolean,
  print: (line: string) => void,
): Promise<boolean> {
  const abandoned = await findAbandoned(provider)
  for (const upload of abandoned) {
    if (deletes) await removeAbandoned(upload)
    print(`${upload.name}: an upload that never finished (${upload.size} bytes)${deletes ? '; removed' : ''}`)
  }
  const { withoutRow, withoutFile, arriving } = await findDiscrepancies(octavo, provider)
  for (const { key, size } of withoutRow) {
    if (deletes) await provider.delete(key)
    print(`${key}: a file without a row (${size} bytes)${deletes ? '; removed' : ''}`)
  }
  for (const { id, key } of withoutFile) print(`${key}: missing, and file ${id} refers to it`)
  // A folder that was just copied has them too: files get the time of the copy, unless it keeps theirs.
  if (arriving > 0) print(`Files without a row, less than an hour old, which may be arriving: ${arriving}`)
  const left = (deletes ? 0 : withoutRow.length + abandoned.length) + withoutFile.length
  if (left === 0) print('Files and rows agree')
  return left === 0
}
