import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { jsonErrorPosition } from '../content-type/json-error-position.ts'
import { isObject } from '../is-object.ts'
import { ImportError } from './import-error.ts'

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

/** An entry or a component. */
export type DataEntry = Readonly<Record<string, unknown>>

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
): Promise<DataFile> {
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
      Array.isArray(list) ? [] : [`entries["${uid}"] must be a list.`],
    ),
    ...Object.entries(data).flatMap(([section, list]) =>
      section === 'entries' || Array.isArray(list) ? [] : [`section "${section}" must be a list.`],
    ),
  ]
  if (wrong.length > 0) throw new ImportError(wrong)
  return data as DataFile // the outline is checked above, the lists while they are read
}

async function readJson(source: string): Promise<unknown> {
  if (source === '-') return parseJson(await textOf(process.stdin), 'the standard input')
  return parseJson(await readFile(source, 'utf8'), source)
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const { line, column, expected } = jsonErrorPosition(text)
    throw new ImportError([`${path}, line ${line}, column ${column}: expected ${expected}.`], false, error)
  }
}
