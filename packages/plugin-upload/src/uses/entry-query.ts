import { isObject } from '@octavo/core/internal'
import type { ContentType } from '@octavo/core/plugin'
import qs from 'qs'
import type { Step, UsedRow } from './used-rows.ts'

/** An entry that was read with {@link readQuery}. */
export interface ReadEntry {
  /** The attributes that the answer shows. */
  readonly shown: Readonly<Record<string, unknown>>
  /** All that were read, with the ways to files. */
  readonly attributes: object
}

/** A part of `populate`: what is below an attribute, of a component or of the components in a zone. */
interface Way {
  readonly fields: readonly string[]
  populate?: Record<string, Way>
  on?: Record<string, Way>
}

/**
 * The query that reads entries with the attributes on the ways to files, and nothing beside these but the asked fields.
 * @param asked Attributes that the caller may read.
 */
export function readQuery(type: ContentType, used: readonly UsedRow[], asked: readonly string[]) {
  const ids = [...new Set(used.map(({ id }) => id))]
  const fields = asked.filter((name) => type.attributes.get(name)?.kind === 'scalar')
  const root: Way = { fields: ['id', ...fields] }
  for (const { path } of used) addWay(root, path, type)
  const query = qs.stringify(
    {
      ...root,
      filters: { id: { $in: ids } },
      pagination: { start: 0, limit: ids.length, withCount: false },
      publicationState: 'preview',
      locale: 'all',
    },
    { encodeValuesOnly: true, arrayFormat: 'indices' },
  )
  const shownOf = (attributes: object): ReadEntry => ({
    attributes,
    shown: Object.fromEntries(Object.entries(attributes).filter(([name]) => fields.includes(name))),
  })
  return { query, maxLimit: ids.length, shownOf }
}

function addWay(root: Way, path: readonly Step[], type: ContentType): void {
  let way = root
  for (const [i, [, name]] of path.entries()) {
    way.populate ??= {}
    way.populate[name] ??= { fields: ['id'] }
    way = way.populate[name]
    const next = path[i + 1]
    // Only a zone of the entry itself has components of several kinds.
    if (i > 0 || !next || type.attributes.get(name)?.kind !== 'zone') continue
    way.on ??= {}
    way.on[next[0]] ??= { fields: ['id'] }
    way = way.on[next[0]] as Way // made on the line above
  }
}

/** Whether an answered entry has a file at the end of a path. */
export function isAt(file: number, path: readonly Step[], attributes: object): boolean {
  let parts: readonly object[] = [attributes]
  for (const [i, [, name]] of path.entries()) {
    const values = parts.flatMap((part) => (part as Readonly<Record<string, unknown>>)[name] ?? [])
    const next = path[i + 1]
    if (!next) return values.some((value) => isObject(value) && hasFile(file, value.data))
    parts = values.filter(isObject).filter(({ __component: uid }) => uid === undefined || uid === next[0])
  }
  return false
}

const hasFile = (file: number, data: unknown): boolean =>
  [data].flat().some((one) => isObject(one) && one.id === file)
