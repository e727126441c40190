import type { EntryInput, EntryWriter, ScalarAttribute, WriteEvent } from '@octavo/core'
import { localizedParts } from './content-type.ts'

/** Entries that are written as copies: what is written to them is not carried on. */
const copying = new WeakMap<EntryWriter, Set<string>>()

/**
 * Gives the siblings of an entry that was written what it and they have in common, in the same transaction. Copied is
 * what the entry has in the end, since what was said (connect this, before that) may mean something else elsewhere. The
 * caller must have the right to update each sibling that changes, in each attribute; else the whole write is refused.
 *
 * @param source Of a new localization: what it got from there is nothing new, and is not carried on.
 */
export async function carryOver({ type, id, input, entries }: WriteEvent, source?: number): Promise<void> {
  const parts = localizedParts(type)
  if (!parts || id === undefined || copying.get(entries)?.has(`${type.uid} ${id}`)) return
  const named = parts.shared.filter((name) => Object.hasOwn(input, name))
  const secrets = parts.sharedSecrets.filter(({ name }) => Object.hasOwn(input, name))
  if (named.length === 0 && secrets.length === 0) return
  const siblings = await siblingsOf(type.table, id, entries)
  if (siblings.length === 0) return
  if (secrets.length > 0) {
    const names = secrets.map(({ name }) => name)
    await entries.requireChangeable(type.uid, siblings, names)
    await copySecrets(type.table, secrets, id, siblings, entries)
    await entries.requireChangeable(type.uid, siblings, names)
  }
  const written = await entries.inputOf(type.uid, id, named)
  const before = source === undefined ? {} : await entries.inputOf(type.uid, source, named)
  const changed = named.filter((name) => !isSame(written[name], before[name]))
  if (changed.length === 0) return
  const common = Object.fromEntries(changed.map((name) => [name, written[name]]))
  for (const sibling of siblings) {
    // One that has it all already is left alone, and so is its time of change.
    const theirs = await entries.inputOf(type.uid, sibling, changed)
    if (changed.every((name) => isSame(theirs[name], common[name]))) continue
    await copyTo(type.uid, sibling, common, entries, 'caller')
  }
}

/** Gives a new localization what another plugin took out of its input, since its maker may not name it. */
export async function complete({ type, id, input, entries }: WriteEvent, source: number): Promise<void> {
  const parts = localizedParts(type)
  const missing = parts?.shared.filter((name) => !Object.hasOwn(input, name)) ?? []
  if (id === undefined || missing.length === 0) return
  await copyTo(type.uid, id, await entries.inputOf(type.uid, source, missing), entries, 'plugin')
}

async function copyTo(
  uid: string,
  id: number,
  common: EntryInput,
  entries: EntryWriter,
  rights: 'plugin' | 'caller',
): Promise<void> {
  const copies = copying.get(entries) ?? new Set()
  copying.set(entries, copies)
  const key = `${uid} ${id}`
  copies.add(key)
  await entries.update(uid, id, common, rights)
  copies.delete(key)
}

/** As they are stored: nobody can give a hash back as what it was made of. */
export async function copySecrets(
  table: string,
  secrets: readonly ScalarAttribute[],
  from: number,
  to: readonly number[],
  entries: EntryWriter,
): Promise<void> {
  for (const { column } of secrets)
    await entries.query(
      `update "${table}" as "t" set "${column}" = "s"."${column}" from "${table}" as "s" where "s"."id" = $1::int8 and "t"."id" = any($2::int8[])`,
      [from, to],
    )
}

/** Both were made by the same plan, so that the order of keys is the same. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

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
