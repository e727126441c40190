import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isObject, makeFolder, withPath } from '@octavo/core/internal'
import { fileUid } from '../model/uids.ts'
import type { Data } from '../records.ts'
import { Scratch } from '../scratch/scratch.ts'
import type { Source } from '../source/source.ts'

export interface CopiedFiles {
  /** Files of the media library and their smaller sizes that are stored on the server. */
  readonly wanted: number
  readonly copied: number
  /** Files that existed already, with the same size. */
  readonly there: number
  /** The first names in rows without a file in the source, or that no file here can have. */
  readonly missing: readonly string[]
  /** The number of all such names. */
  readonly missingCount: number
  /** The first names of files that are shorter than their rows say, as those are whose upload or backup ended early. */
  readonly shorter: readonly string[]
  /** The number of all such names. */
  readonly shorterCount: number
  /** Files at a provider such as S3, which are not copied. */
  readonly elsewhere: number
}

/** Maximum number of missing files that are listed, and of shorter ones. */
const listed = 20

/** `name`: the name in an archive, or in the folder; `target`: the name in the folder; `least`: its bytes, at least. */
const tables = `
  create table file_name (name text primary key, target text not null) without rowid;
  create table target (name text primary key, least real not null, found integer not null, shorter integer not null) without rowid;`

/**
 * Copies the files of the media library into a folder, under the names that their addresses end with. A file that exists
 * with the same size is not copied again, so that a second run continues an interrupted copy.
 */
export async function copyFiles(
  source: Source,
  folder: string,
  onProgress: (copied: number, name: string) => void = () => {},
): Promise<CopiedFiles> {
  const scratch = new Scratch(tables)
  try {
    const elsewhere = await readNames(source, scratch)
    makeFolder(folder)
    let copied = 0
    let there = 0
    for await (const file of source.files()) {
      const [row] = scratch.all('select target from file_name where name = ?', file.name)
      if (!row) continue
      const name = String(row.target)
      scratch.run('update target set found = 1, shorter = least > ? where name = ?', file.size, name)
      const target = path.join(folder, name)
      const known = await stat(target).catch(() => undefined)
      if (known?.isFile() && known.size === file.size) {
        there++
        continue
      }
      // Of this copy alone: another import may copy the same file at the same time. A name of this form is removed after an hour, as that of an unfinished upload.
      const unfinished = path.join(folder, `.${randomUUID()}.part`)
      await pipeline(file.open(), createWriteStream(unfinished, { mode: 0o640 })).catch(
        async (error: unknown) => {
          // On a full disk the part would occupy all that was free.
          await rm(unfinished, { force: true })
          throw withPath(error, unfinished)
        },
      )
      await rename(unfinished, target)
      onProgress(++copied, name)
    }
    const [counts] = scratch.all(
      'select count(*) as wanted, count(*) - coalesce(sum(found), 0) as missing, coalesce(sum(shorter), 0) as shorter from target',
    )
    const names = (condition: 'found = 0' | 'shorter = 1'): readonly string[] =>
      scratch
        .all(`select name from target where ${condition} order by name limit ?`, listed)
        .map(({ name }) => String(name))
    return {
      wanted: Number(counts?.wanted),
      copied,
      there,
      missing: names('found = 0'),
      missingCount: Number(counts?.missing),
      shorter: names('shorter = 1'),
      shorterCount: Number(counts?.shorter),
      elsewhere,
    }
  } finally {
    scratch.close()
  }
}

/** Records the names of the files by the names in an archive (`hash` and `ext`) and in the folder itself. @returns the number of files at other providers */
async function readNames(source: Source, scratch: Scratch): Promise<number> {
  let elsewhere = 0
  for await (const batch of source.entities())
    scratch.batch(() => {
      for (const { type, data } of batch) {
        if (type !== fileUid) continue
        if (!isLocal(data)) elsewhere++
        else for (const file of [data, ...formatsOf(data.formats)]) addName(scratch, file)
      }
    })
  return elsewhere
}

const isLocal = ({ provider, url }: Data): boolean =>
  (provider ?? 'local') === 'local' && typeof url === 'string' && !/^https?:/.test(url)

/** Bytes that a row's `size` in kilobytes stands for at least: it has two digits after the point. */
function leastBytes(size: unknown): number {
  const bytes = Number(size ?? 0) * 1_000 - 5
  return Number.isFinite(bytes) ? bytes : 0
}

function addName(scratch: Scratch, { url, hash, ext, size }: Data): void {
  const name = typeof url === 'string' ? path.posix.basename(url) : ''
  if (name === '') return
  scratch.run('insert or ignore into target values (?, ?, 0, 0)', name, leastBytes(size))
  // Any other name could lead out of the folder, and no key of the provider has such a form: the file counts as missing.
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) return
  const insert = 'insert or replace into file_name values (?, ?)'
  if (typeof hash === 'string') scratch.run(insert, `${hash}${typeof ext === 'string' ? ext : ''}`, name)
  scratch.run(insert, name, name)
}

function formatsOf(formats: unknown): readonly Data[] {
  if (typeof formats === 'string') {
    try {
      return formatsOf(JSON.parse(formats))
    } catch {
      return []
    }
  }
  return isObject(formats) ? Object.values(formats).filter(isObject) : []
}
