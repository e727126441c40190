import { OctavoError, type Row, type Sql, sql } from '@octavo/core'
import { readInputs } from '@octavo/core/internal'
import {
  type Condition,
  type ContentType,
  constant,
  type EntryInput,
  type EntryWriter,
  type FilteredEvent,
  param,
  type Registry,
  related,
  type ScalarAttribute,
  type WriteEvent,
  type WriteStatement,
} from '@octavo/core/plugin'
import { type Localized, localizationsType, localizedParts } from './content-type.ts'

/** Whether an update sets attributes that all locales share, and is not a copy of such values. */
export function writesShared({ type, id, input, entries }: FilteredEvent): boolean {
  const { shared = [], sharedSecrets = [] } = localizedParts(type) ?? {}
  const isCopy = copying.get(entries)?.has(`${type.uid} ${id}`)
  return (
    !isCopy &&
    [...shared, ...sharedSecrets.map(({ name }) => name)].some((name) => Object.hasOwn(input, name))
  )
}

/** Ids of entries that had others in other locales when they were last updated, or localized. */
const grouped = new WeakMap<ContentType, Set<number>>()

/** Ids of a type, at most, for {@link grouped}. */
const mostGrouped = 10_000

/**
 * The entries of a localized type that are there in other locales as well; `undefined` for one that is known to be, which need not be
 * asked before it is written.
 */
export function hasSiblings({ type, id }: FilteredEvent): Condition | undefined {
  const parts = localizedParts(type)
  if (id !== undefined && grouped.get(type)?.has(id)) return undefined
  return parts && related(parts.localizations, type, constant(true))
}

/** Notes whether an entry has others in other locales. Where that is wrong, its next update takes one message more. */
export function remember(type: ContentType, id: number, isGrouped: boolean): void {
  const ids = grouped.get(type) ?? new Set()
  grouped.set(type, ids)
  if (!isGrouped) ids.delete(id)
  else if (ids.size < mostGrouped) ids.add(id)
  else ids.clear()
}

/** The entries of a transaction whose writes copy shared values; these are not copied again. */
const copying = new WeakMap<object, Set<string>>()

/** The entries of a group as they are behind a write, by its input, and how often hooks had written or read then. */
const behind = new WeakMap<
  EntryInput,
  { readonly values: ReadonlyMap<number, EntryInput>; readonly uses: number }
>()

/** The read of an entry and of those in other locales, for {@link carryOver}, which is sent with the write. */
export function readGroup(
  { type, id, input, entries }: FilteredEvent,
  registry: Registry,
): readonly WriteStatement[] {
  const parts = localizedParts(type)
  if (!parts || id === undefined) return []
  const named = namedIn(input, parts)
  const { statement, inputsIn } = readInputs(type, id, named, parts.localizations, registry)
  const receive = (row: Row): void => void behind.set(input, { values: inputsIn([row]), uses: entries.uses })
  return [{ when: 'after', statement, receive }]
}

const namedIn = (input: EntryInput, { shared }: Localized): readonly string[] =>
  shared.filter((name) => Object.hasOwn(input, name))

/**
 * Copies the shared values of a written entry to its siblings, in the same transaction. It copies the stored values,
 * since the input (connect this, before that) may mean something else for a sibling. The
 * caller needs the right to update each changed sibling, in each attribute; otherwise the whole write is refused.
 *
 * @param source The source of a new localization, whose values are not copied back.
 */
export async function carryOver({ type, id, input, entries }: WriteEvent, source?: number): Promise<void> {
  const parts = localizedParts(type)
  if (!parts || id === undefined) return
  const named = namedIn(input, parts)
  const secrets = parts.sharedSecrets.filter(({ name }) => Object.hasOwn(input, name))
  if (named.length === 0 && secrets.length === 0) return
  const read = behind.get(input)
  // A hook before this one may have changed what was read.
  const isFresh = read?.uses === entries.uses
  const values = isFresh ? read.values : await entries.inputsOf(type.uid, id, named, parts.localizations)
  const siblings = [...values.keys()].filter((one) => one !== id)
  remember(type, id, siblings.length > 0)
  if (siblings.length === 0) return
  const has = (one: number, name: string): boolean => isSame(values.get(one)?.[name], values.get(id)?.[name])
  const changed = named.filter((name) => source === undefined || !has(source, name))
  // A sibling that has all values already is not written, so its `updatedAt` stays. The usual localization has those of its source.
  const differs = (sibling: number): boolean => !changed.every((name) => has(sibling, name))
  if (secrets.length > 0) {
    const names = secrets.map(({ name }) => name)
    const there = await locked(type, siblings, entries)
    await entries.requireChangeable(type.uid, there, names)
    await copySecrets(type.table, secrets, id, there, entries)
    await entries.requireChangeable(type.uid, there, names)
  }
  const common = Object.fromEntries(changed.map((name) => [name, values.get(id)?.[name]]))
  const differing = siblings.filter(differs)
  if (differing.length === 0) return
  try {
    await copyTo(type.uid, differing, common, entries, 'caller')
  } catch (error) {
    if (!(error instanceof OctavoError)) throw error
    const left = await locked(type, differing, entries)
    if (left.length === differing.length) throw error
    if (left.length > 0) await copyTo(type.uid, left, common, entries, 'caller')
  }
}

/** Locks entries, in the order of their ids, and leaves out those that another transaction has deleted since they were read. */
async function locked(
  { table }: ContentType,
  ids: readonly number[],
  entries: EntryWriter,
): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const rows = await entries.run(
    sql`select "id" from ${sql.id(table)} where "id" = any(${param(ids, 'int8[]')}) order by "id" for no key update`,
  )
  return rows.map((row) => Number(row.id))
}

/** Writes shared values to entries whose own hooks copy them no further. */
export async function copyTo(
  uid: string,
  ids: readonly number[],
  common: EntryInput,
  entries: EntryWriter,
  rights: 'plugin' | 'caller',
): Promise<void> {
  const copies = copying.get(entries) ?? new Set()
  copying.set(entries, copies)
  const keys = ids.map((id) => `${uid} ${id}`)
  for (const key of keys) copies.add(key)
  try {
    await entries.updateAll(uid, ids, common, rights)
  } finally {
    for (const key of keys) copies.delete(key)
  }
}

/** Copies stored values with SQL: a hash cannot be written as input. */
async function copySecrets(
  table: string,
  secrets: readonly ScalarAttribute[],
  from: number,
  to: readonly number[],
  entries: EntryWriter,
): Promise<void> {
  const [own, source] = [sql`"t"`, sql`"s"`]
  for (const { column } of secrets)
    await entries.run(
      sql`update ${sql.id(table)} as ${own} set ${sql.id(column)} = ${source}.${sql.id(column)} from ${sql.id(table)} as ${source} where ${source}."id" = ${param(from, 'int8')} and ${own}."id" = any(${param(to, 'int8[]')})`,
    )
}

/** Compares JSON texts: both come from the same plan, so the order of keys is the same. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The key of the group of an entry, as an expression; null for an entry without a sibling. */
export function groupOf(type: ContentType, id: number): Sql {
  const column = sql.id(localizationsType.column)
  return sql`(select "g".${column} from ${sql.id(type.table)} as "g" where "g"."id" = ${param(id, 'int8')})`
}
