import path from 'node:path'
import { type Octavo, OctavoError } from '@octavo/core'
import { thrownText } from '@octavo/core/internal'
import { fileUid } from '../content-type/file-type.ts'
import type { Files } from '../files/files.ts'
import { type FileRow, partsOf } from '../files/record.ts'
import { originalOf } from '../pictures/variants.ts'
import { findAbandoned, removeAbandoned } from '../storage/abandoned.ts'
import type { ListedFile, StorageProvider } from '../storage/provider.ts'

/** The columns from which the names of a file follow, and its provider. */
type ProvidedRow = Pick<FileRow, 'id' | 'hash' | 'ext' | 'formats'> & {
  readonly url: string
  readonly provider: string
}

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

interface Checked {
  readonly octavo: Octavo
  readonly files: Files
  readonly provider: StorageProvider
}

interface Removal {
  readonly isDone: boolean
  /** How a line about it ends. */
  readonly words: string
}

/** Removes something. A refusal, such as of a file that a bucket keeps for some years, is no reason to keep all others. @throws OctavoError of a provider that is away */
async function removal(remove: () => Promise<void>): Promise<Removal> {
  try {
    await remove()
    return { isDone: true, words: '; removed' }
  } catch (error) {
    if (error instanceof OctavoError) throw error
    return { isDone: false, words: `; it could not be removed: ${thrownText(error)}` }
  }
}

/** Compares the rows of files with the provider's list. The keys of all files are in memory meanwhile. */
async function compare({ octavo, provider }: Checked): Promise<Discrepancies> {
  const there: ListedFile[] = []
  for await (const file of provider.list('')) there.push(file)
  // Afterwards: each file was stored before its row was written, so that those of new rows are the ones that lack.
  const rows = await findRows(octavo)
  const parts = rows.flatMap((row) => partsOf(row).map((part) => ({ ...part, row })))
  const referenced = namesOf(rows)
  const hashes = new Set(rows.map(({ hash }) => hash))
  const unknown = there.filter(({ key }) => !referenced.has(key) && !hashes.has(originalOf(key) ?? ''))
  const isYoung = ({ modified }: ListedFile): boolean => modified.getTime() > Date.now() - arrivalTime
  const keys = new Set(there.map(({ key }) => key))
  // An imported row may have the name that its provider had in Strapi: its file can be here, or elsewhere.
  const withoutFile = parts
    .filter(
      ({ row, key, addressed }) => row.provider === provider.name && !keys.has(key) && !keys.has(addressed),
    )
    .map(({ row, key }) => ({ id: row.id, key }))
  return {
    withoutRow: unknown.filter((file) => !isYoung(file)),
    withoutFile,
    arriving: unknown.filter(isYoung).length,
  }
}

/** The discrepancies that two looks find: files are stored, replaced and deleted while the provider lists them. */
async function findDiscrepancies(checked: Checked): Promise<Discrepancies> {
  const first = await compare(checked)
  if (first.withoutRow.length + first.withoutFile.length === 0) return first
  const second = await compare(checked)
  const isIn = (list: readonly { readonly key: string }[]) => {
    const keys = new Set(list.map(({ key }) => key))
    return ({ key }: { readonly key: string }): boolean => keys.has(key)
  }
  return {
    withoutRow: second.withoutRow.filter(isIn(first.withoutRow)),
    withoutFile: second.withoutFile.filter(isIn(first.withoutFile)),
    arriving: second.arriving,
  }
}

/**
 * @returns how it went; `undefined` for a file that a row has by now, such as one of an import or of formats that were made later
 * @throws OctavoError of a provider that is away
 */
async function deleteWithoutRow(
  { octavo, files, provider }: Checked,
  key: string,
): Promise<Removal | undefined> {
  const remove = async (): Promise<Removal | undefined> => {
    const rows = await findRows(octavo, hashesIn(key))
    if (namesOf(rows).has(key) || rows.some(({ hash }) => hash === originalOf(key))) return undefined
    return removal(async () => provider.delete(key))
  }
  const [row] = await findRows(octavo, hashesIn(key))
  // A replacement of this file, or formats that are made later, may store the key again. Either waits for this removal, or has written its row before it.
  return row ? files.alone(row.id, remove) : remove()
}

/**
 * `small_lighthouse_1f00.png` → `small_lighthouse_1f00`, `lighthouse_1f00`, `1f00`: the hashes of the files that the key can be a part of. A key
 * that looks like that of a variant can be that of a smaller picture as well: `small__1f00.png`, where the hash is `_1f00`.
 */
function hashesIn(key: string): readonly string[] {
  const names = [path.basename(key, path.extname(key)), originalOf(key) ?? []].flat()
  return names.flatMap((name) => {
    const words = name.split('_')
    return words.map((_, i) => words.slice(i).join('_'))
  })
}

/** @param hashes Default: all. */
const findRows = ({ store, registry }: Octavo, hashes?: readonly string[]): Promise<readonly ProvidedRow[]> =>
  store.rows<ProvidedRow>(registry.contentType(fileUid)).find({
    ...(hashes && { where: { hash: { $in: hashes } } }),
    select: ['id', 'hash', 'ext', 'formats', 'url', 'provider'],
  })

/** All names of the parts of files. */
const namesOf = (rows: readonly ProvidedRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap((row) => partsOf(row).flatMap(({ key, addressed }) => [key, addressed])))

/** `octavo media check`. @returns whether rows and files agree afterwards */
export async function checkMedia(
  checked: Checked,
  deletes: boolean,
  print: (line: string) => void,
): Promise<boolean> {
  const asFound: Removal = { isDone: false, words: '' }
  let left = 0
  const say = (line: string, { isDone, words }: Removal): void => {
    if (!isDone) left++
    print(line + words)
  }
  for (const upload of await findAbandoned(checked.provider)) {
    const removed = deletes ? await removal(() => removeAbandoned(upload)) : asFound
    say(`${upload.name}: an upload that never finished (${upload.size} bytes)`, removed)
  }
  const { withoutRow, withoutFile, arriving } = await findDiscrepancies(checked)
  for (const { key, size } of withoutRow) {
    const removed = deletes ? await deleteWithoutRow(checked, key) : asFound
    if (removed) say(`${key}: a file without a row (${size} bytes)`, removed)
  }
  for (const { id, key } of withoutFile) say(`${key}: missing, and file ${id} refers to it`, asFound)
  // A folder that was just copied has them too: files get the time of the copy, unless it keeps theirs.
  if (arriving > 0) print(`Files without a row, less than an hour old, which may be arriving: ${arriving}`)
  if (left === 0) print(arriving > 0 ? 'All other files and rows agree' : 'Files and rows agree')
  return left === 0
}
