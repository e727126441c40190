import { type Octavo, OctavoError, type RequestState } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import type { Files } from '../files/files.ts'
import { problem } from '../problems.ts'
import { isAt, type ReadEntry, readQuery } from './entry-query.ts'
import { type Step, type UsedRow, usedRows } from './used-rows.ts'

/** A file with the entries that use it. */
export interface UsedFile {
  readonly id: number
  readonly name: string
  readonly uses: readonly UsingEntry[]
  /** Whether there are more than `uses` has. */
  readonly more: boolean
}

/** An entry that uses a file. */
interface UsingEntry {
  /** The uid of the content-type. */
  readonly __type: string
  readonly id: number
  /** The attributes that the request names, where the content-type has them. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Where in the entry, each from its own attribute to the media attribute. */
  readonly places: readonly (readonly { readonly uid: string; readonly attribute: string }[])[]
}

/** Files in one answer: as many as are deleted with their folder in one request. */
const maxFiles = 1_000

export interface UsesRequest {
  /** The query string of the list of files. */
  readonly files: string
  /** Attributes that the entries are answered with, where their content-types have them. */
  readonly fields: readonly string[]
  /** Entries of each file. */
  readonly limit: number
}

/**
 * The entries that use files, in their own attributes and in components and zones at any depth. The link tables give the candidates. These
 * entries are then read with the rights of the caller, with only the attributes on the path to the file. A use counts if this answer
 * has the file, so the caller sees nothing that other reads would hide.
 *
 * @throws ValidationError for more than {@link maxFiles} files, and what a list of files throws
 */
export async function usesOf(
  { files: query, fields, limit }: UsesRequest,
  octavo: Octavo,
  files: Files,
  state: RequestState,
): Promise<readonly UsedFile[]> {
  const found = await files.find(query, state)
  if (found.length > maxFiles)
    throw problem('upload/bad-uses', {
      message: `The uses of at most ${maxFiles} files are listed: choose fewer with filters, start and limit.`,
    })
  const rows = await usedRows(
    found.map(({ id }) => id),
    octavo,
  )
  const uses = new Map<number, UsingEntry[]>()
  const byType = Map.groupBy(rows, ({ uid }) => uid)
  for (const uid of [...byType.keys()].toSorted()) {
    const type = octavo.registry.contentType(uid)
    const used = (byType.get(uid) ?? []).toSorted((a, b) => a.id - b.id)
    const entries = await readEntries(type, used, fields, octavo, state)
    for (const [key, places] of Map.groupBy(used, ({ file, id }) => `${file} ${id}`)) {
      const [file = 0, id = 0] = key.split(' ').map(Number)
      const entry = entries.get(id)
      const seen = places.filter(({ path }) => entry && isAt(file, path, entry.attributes))
      if (!entry || seen.length === 0) continue
      const { shown } = entry
      const use = { __type: uid, id, attributes: shown, places: seen.map(({ path }) => path.map(placeOf)) }
      uses.set(file, [...(uses.get(file) ?? []), use])
    }
  }
  return found.map(({ id, name }) => {
    const all = uses.get(id) ?? []
    return { id, name: String(name), uses: all.slice(0, limit), more: all.length > limit }
  })
}

const placeOf = ([uid, attribute]: Step) => ({ uid, attribute })

/** Entries that one read has: a longer list of ids would be over the limits of a query. */
const chunkSize = 100

/** The entries that the caller may find, by their ids. */
async function readEntries(
  type: ContentType,
  used: readonly UsedRow[],
  fields: readonly string[],
  octavo: Octavo,
  state: RequestState,
): Promise<ReadonlyMap<number, ReadEntry>> {
  const action = 'find'
  const ids = [...new Set(used.map(({ id }) => id))].toSorted((a, b) => a - b)
  const read = new Map<number, ReadEntry>()
  try {
    await octavo.hooks.guard('server:authorize', { name: `${type.uid}.${action}`, type }, state)
    const visible = octavo.visible({ type, action, state })
    // A refusal of a name would reveal that an entry uses a file, which the caller may not know.
    const asked = fields.filter((name) => visible.has(name))
    for (let start = 0; start < ids.length; start += chunkSize) {
      const chunk = new Set(ids.slice(start, start + chunkSize))
      const some = used.filter(({ id }) => chunk.has(id))
      const { query, maxLimit, shownOf } = readQuery(type, some, asked)
      const request = { type, action, kind: 'list', query, lenient: true, maxLimit, state } as const
      const { data = '[]' } = await octavo.read(request)
      const entries = JSON.parse(data) as readonly { readonly id: number; readonly attributes: object }[]
      for (const { id, attributes } of entries) read.set(id, shownOf(attributes))
    }
  } catch (error) {
    // The caller finds no entries of this content-type.
    if (!(error instanceof OctavoError && (error.status === 403 || error.status === 401))) throw error
  }
  return read
}
