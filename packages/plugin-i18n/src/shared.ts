import type { EntryWriter, WriteEvent } from '@octavo/core'
import { localizedParts } from './content-type.ts'

/** Entries that are written as copies: what is written to them is not carried on. */
const copying = new WeakMap<EntryWriter, Set<string>>()

/**
 * Gives the siblings of an entry that was written what it and they have in common, in the same transaction. Copied is
 * what the entry has in the end, since what was said (connect this, before that) may mean something else elsewhere.
 */
export async function carryOver({ type, id, input, entries }: WriteEvent): Promise<void> {
  const parts = localizedParts(type)
  if (!parts || id === undefined || copying.get(entries)?.has(`${type.uid} ${id}`)) return
  const named = parts.shared.filter((name) => Object.hasOwn(input, name))
  if (named.length === 0) return
  const siblings = await siblingsOf(type.table, id, entries)
  if (siblings.length === 0) return
  const copies = copying.get(entries) ?? new Set()
  copying.set(entries, copies)
  const common = await entries.inputOf(type.uid, id, named)
  for (const sibling of siblings) {
    // One that has it all already is left alone, and so is its time of change.
    if (isSame(await entries.inputOf(type.uid, sibling, named), common)) continue
    const key = `${type.uid} ${sibling}`
    copies.add(key)
    await entries.update(type.uid, sibling, common)
    copies.delete(key)
  }
}

/** Both were made by the same plan, so that the order of keys is the same. */
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Ids of the entries that share the group of one, which is not among them. */
export async function siblingsOf(
  table: string,
  id: number,
  entries: EntryWriter,
): Promise<readonly number[]> {
  const rows = await entries.query(
    `select "s"."id" from "${table}" as "s", "${table}" as "e" where "e"."id" = $1::int8 and "s"."localization_group" = "e"."localization_group" and "s"."id" <> "e"."id" order by 1`,
    [id],
  )
  return rows.map(([sibling]) => Number(sibling))
}
