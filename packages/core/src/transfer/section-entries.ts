import type { Registry } from '../content-type/model.ts'
import { isObject } from '../kinds-of-values.ts'
import type { SectionHandler } from '../plugin/section.ts'
import type { DataEntry } from './data-file.ts'
import type { FileEntries } from './file-index.ts'
import type { LeftOut } from './left-out.ts'
import type { EntryList } from './outline.ts'

interface SectionContext {
  readonly registry: Registry
  readonly sections: ReadonlyMap<string, SectionHandler>
}

/**
 * Moves additional attributes of section items to the entries: an attribute `job` of a user in the section `users`
 * is imported as in `entries`. Keys without a reader are counted.
 *
 * @param sections Items by section, as in the file.
 */
export function withAddedAttributes(
  entries: FileEntries,
  sections: Readonly<Record<string, unknown>>,
  { registry, sections: handlers }: SectionContext,
  leftOut: LeftOut,
): FileEntries {
  const all: Record<string, EntryList> = { ...entries }
  for (const [section, items] of Object.entries(sections)) {
    const { keys, entriesOf } = handlers.get(section) ?? {}
    if (!keys || !Array.isArray(items)) continue
    const read = new Set(keys)
    const type = entriesOf === undefined ? undefined : registry.contentTypes.get(entriesOf)
    const isAttribute = (key: string): boolean => type?.attributes.has(key) || type?.morphs.has(key) || false
    const added = items.filter(isObject).flatMap((item): readonly DataEntry[] => {
      const others = Object.entries(item).filter(([key]) => !read.has(key))
      for (const [key, value] of others) {
        if (value === null || isAttribute(key)) continue
        const what = `"${key}" in section ${section}`
        leftOut.set(what, (leftOut.get(what) ?? 0) + 1)
      }
      const attributes = others.filter(([key]) => isAttribute(key))
      // The handler rejects an item without an id.
      return attributes.length > 0 && item.id !== undefined
        ? [{ id: item.id, ...Object.fromEntries(attributes) }]
        : []
    })
    if (entriesOf !== undefined && added.length > 0) all[entriesOf] = mergedById(all[entriesOf] ?? [], added)
  }
  return all
}

/** Entries of the file first; additional attributes of an item are added to the entry with its id. */
function mergedById(given: EntryList, added: readonly DataEntry[]): readonly DataEntry[] {
  const byId = new Map(added.map((entry) => [entry.id, entry]))
  const merged = [...given].map((entry) => {
    const more = isObject(entry) ? byId.get(entry.id) : undefined
    if (!more) return entry
    byId.delete(entry.id)
    return { ...more, ...entry }
  })
  return [...merged, ...byId.values()]
}
