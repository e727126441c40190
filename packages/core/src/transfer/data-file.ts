import { constants, isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { firstLineOfOtherText } from '../content-type/definition/first-other-line.ts'
import { jsonErrorPosition } from '../content-type/definition/json-error-position.ts'
import { isObject } from '../kinds-of-values.ts'
import { ImportError } from './import-error.ts'
import { type DataEntry, type EntryList, parseOutline } from './outline.ts'

export type { DataEntry } from './outline.ts'

/**
 * The content of an export or import. Plugins handle the sections that they declare, besides `entries`. Ids of entries
 * and components are included; relations are ids or ordered lists of ids, components are inline, the items
 * of a dynamic zone have `__component`.
 *
 *     { "locales": [...], "files": [...], "entries": { "api::book.book": [{ "id": 1, "title": "Emma", "authors": [3] }] } }
 */
export interface DataFile {
  readonly entries?: Readonly<Record<string, readonly DataEntry[]>>
  readonly [section: string]: unknown
}

/** A data file whose entries are read one at a time. */
export interface ReadDataFile {
  readonly entries?: Readonly<Record<string, EntryList>>
  readonly [section: string]: unknown
}

/**
 * Reads a data file and checks its outline.
 *
 * @param source A path, `-` for the standard input, or parsed content.
 * @param sections The known sections; a file with none of them and without `entries` is rejected.
 * @throws ImportError that names the file, the line and the column where it is not JSON.
 */
export async function readDataFile(
  source: string | DataFile,
  sections: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>,
): Promise<ReadDataFile> {
  const data: unknown = typeof source === 'string' ? await readJson(source) : source
  if (!isObject(data))
    throw new ImportError(['the data must be an object: { "entries": { "<uid>": [ … ] }, … }.'])
  const { entries } = data
  if (entries === undefined && !Object.keys(data).some((section) => sections.has(section))) {
    const known = ['"entries"', ...[...sections.keys()].map((section) => `"${section}"`)]
    throw new ImportError([`this is no data file: it has none of ${known.join(', ')}.`])
  }
  if (entries !== undefined && !isObject(entries)) {
    throw new ImportError(['"entries" must be an object of lists by uid: { "api::book.book": [ … ] }.'])
  }
  const wrong = [
    ...Object.entries(entries ?? {}).flatMap(([uid, list]) =>
      isList(list) ? [] : [`entries["${uid}"] must be a list.`],
    ),
    ...Object.entries(data).flatMap(([section, list]) =>
      section === 'entries' || Array.isArray(list) ? [] : [`section "${section}" must be a list.`],
    ),
  ]
  if (wrong.length > 0) throw new ImportError(wrong)
  return data as ReadDataFile // the outline is checked above, the lists while they are read
}

const isList = (value: unknown): value is EntryList =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

async function readJson(source: string): Promise<unknown> {
  const bytes = await bytesOf(source)
  const name = source === '-' ? 'the standard input' : source
  // Other bytes would be read as U+FFFD, and their characters lost.
  if (!isUtf8(bytes))
    throw new ImportError([
      `${name}, line ${firstLineOfOtherText(bytes)}: expected text in UTF-8, neither compressed nor in another encoding.`,
    ])
  const isMarked = bytes.subarray(0, 3).equals(byteOrderMark)
  // A file without entries is parsed as a whole, so that the error message names the place of a mistake.
  return parseOutline(isMarked ? bytes.subarray(3) : bytes) ?? parseJson(bytes, name)
}

/** Bytes of a data file. It is in memory as a whole while it is imported. */
const maxFileBytes = 2 ** 31 - 1

/** @throws ImportError for a file that is not there or too large, of the standard input as soon as it is. */
async function bytesOf(source: string): Promise<Buffer> {
  const tooLarge = (name: string): Error =>
    new ImportError([`${name} has more than 2 GiB: import it in parts.`])
  if (source !== '-') {
    const found = await stat(source).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new ImportError([`there is no file ${source}.`], false, error) : error
    })
    if (found.isDirectory()) throw new ImportError([`${source} is a folder; name a file in it.`])
    const { size } = found
    if (size > maxFileBytes) throw tooLarge(source)
    return readFile(source)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxFileBytes) throw tooLarge('the standard input')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const byteOrderMark = Buffer.from('\uFEFF')

function parseJson(bytes: Buffer, path: string): unknown {
  if (bytes.length > constants.MAX_STRING_LENGTH)
    throw new ImportError([`${path} is no JSON, or is cut short; it is too large for the place to be found.`])
  const text = bytes.toString().replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    const found = jsonErrorPosition(text)
    const message = found
      ? `${path}, line ${found.line}, column ${found.column}: expected ${found.expected}.`
      : `${path} cannot be read: it nests too deeply.`
    throw new ImportError([message], false, error)
  }
}
