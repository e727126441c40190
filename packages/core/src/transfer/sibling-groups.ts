import { param, type Sql, sql, type Transaction } from '@octavo/database'
import type { ContentType, RelationAttribute } from '../content-type/model.ts'
import { isId } from '../id.ts'
import { relationsOf } from '../schema/tables/tables.ts'
import { defaultOf } from '../write/input/validate.ts'
import type { FileIndex } from './file-index.ts'
import { describe, type Place } from './import-place.ts'
import type { ImportMistakes } from './mistakes.ts'
import { numbered } from './outline.ts'

/** All entries of a localized single type are one group. */
const single = 0

/** The groups of siblings in a data file: localizations, each of which is in a locale of its own. */
export class SiblingGroups {
  readonly #file: FileIndex
  readonly #mistakes: ImportMistakes
  /** The keys of the groups of entries that are not in the file, by id, for the current content-type. */
  #stored: ReadonlyMap<number, number> = new Map()
  /** The entries of each group of the database, and of a single type, by the value in which they differ. */
  #groups = new Map<number, Map<string, string>>()

  constructor(file: FileIndex, mistakes: ImportMistakes) {
    this.#file = file
    this.#mistakes = mistakes
  }

  /** Reads the groups of the database that entries of a content-type join, before these are written. */
  async startType(type: ContentType, tx: Transaction): Promise<void> {
    this.#stored = new Map()
    this.#groups = new Map()
    for (const relation of relationsOf(type))
      if (relation.storage.kind === 'siblings')
        await this.#startGroups(type, relation, relation.storage.column, tx)
  }

  async #startGroups(
    type: ContentType,
    relation: RelationAttribute,
    key: string,
    tx: Transaction,
  ): Promise<void> {
    const absent = this.#absent(type, relation)
    const isSingle = type.kind === 'singleType' && this.#file.list(type.uid).length > 0
    if (absent.length === 0 && !isSingle) return
    const [table, group] = [sql.id(type.table), sql.id(key)]
    const named = sql`"id" = any(${param(absent, 'int4[]')})`
    // An entry has no group until a second one joins it.
    await tx.run(sql`update ${table} set ${group} = "id" where ${named} and ${group} is null`)
    const which: Sql = isSingle
      ? sql`true`
      : sql`${named} or ${group} in (select ${group} from ${table} where ${named})`
    const distinct = distinctOf(type, relation)
    const value = distinct?.kind === 'scalar' ? sql`${sql.id(distinct.column)}::text` : sql`null`
    const rows = await tx.run(
      sql`select "id", ${group} as "group", ${value} as "value" from ${table} where ${which} order by "id"`,
    )
    const keys = rows.filter(({ group }) => group !== null)
    this.#stored = new Map(keys.map(({ id, group }) => [Number(id), Number(group)]))
    if (isSingle) this.#membersOf(single)
    for (const { id, group, value } of rows)
      if (value !== null)
        this.#membersOf(isSingle ? single : Number(group ?? id)).set(
          String(value),
          `${type.uid} ${id} of the database`,
        )
  }

  #absent({ uid }: ContentType, { name }: RelationAttribute): readonly number[] {
    const absent = new Set<number>()
    for (const [, entry] of numbered(this.#file.list(uid)))
      for (const id of [entry[name]].flat()) if (isId(id) && !this.#file.has(uid, id)) absent.add(id)
    return [...absent]
  }

  /** The key of a group is its smallest id, or the stored one where an entry of the database is in it. */
  keyOf(relation: RelationAttribute, siblings: readonly number[], place: Place): number {
    const stored = new Set(siblings.flatMap((sibling) => this.#stored.get(sibling) ?? []))
    if (stored.size > 1)
      this.#mistakes.add(
        `${describe(place)}, attributes "${relation.name}": names entries of the database that do not belong together.`,
      )
    const agrees = siblings.map((sibling) => this.#agrees(relation, siblings, sibling, place))
    const [known] = stored
    const key = known ?? Math.min(place.id, ...siblings)
    if (agrees.every(Boolean))
      this.#join(place.type.kind === 'singleType' ? single : key, relation, siblings, place)
    return key
  }

  /** Whether a sibling names the same entries; else a mistake is added. */
  #agrees(
    { name, target }: RelationAttribute,
    siblings: readonly number[],
    sibling: number,
    place: Place,
  ): boolean {
    const entry = this.#file.entry(target, sibling)
    if (!entry) return true
    const theirs = [entry[name]].flat()
    const same =
      theirs.includes(place.id) && siblings.every((other) => other === sibling || theirs.includes(other))
    if (!same)
      this.#mistakes.add(
        `${describe(place)}, attributes "${name}": names ${sibling}, but ` +
          `${this.#file.placeOf(target, sibling)}, attributes "${name}", does not name the same.`,
      )
    return same
  }

  /** Reports an entry with the value of another one in its group. Entries of the file name each other; others meet in the database only. */
  #join(key: number, relation: RelationAttribute, siblings: readonly number[], place: Place): void {
    const { type, id } = place
    const value = this.#valueOf(relation, type, id)
    const distinct = distinctOf(type, relation)
    if (value === undefined || !distinct) return
    const members = this.#groups.get(key)
    const before = siblings.find(
      (sibling) => sibling < id && this.#valueOf(relation, type, sibling) === value,
    )
    const other = before === undefined ? members?.get(value) : this.#file.placeOf(type.uid, before)
    if (other === undefined) members?.set(value, describe(place))
    else {
      const what = key === single ? 'a single type has one entry' : `its "${relation.name}" have one`
      this.#mistakes.add(
        `${describe(place)}, attributes "${distinct.name}": ${what} for each value, and ${other} has ${JSON.stringify(value)} too.`,
      )
    }
  }

  /** The value of an entry of the file in which siblings differ, as text. */
  #valueOf(relation: RelationAttribute, type: ContentType, id: number): string | undefined {
    const distinct = distinctOf(type, relation)
    const entry = this.#file.entry(type.uid, id)
    if (!entry || distinct?.kind !== 'scalar') return undefined
    const given = entry[distinct.name]
    const value = given === undefined ? defaultOf(distinct.definition) : given
    return value === undefined || value === null ? undefined : String(value)
  }

  #membersOf(key: number): Map<string, string> {
    const members = this.#groups.get(key) ?? new Map<string, string>()
    this.#groups.set(key, members)
    return members
  }
}

/** The attribute in which siblings differ. */
const distinctOf = (type: ContentType, { storage }: RelationAttribute) =>
  storage.kind === 'siblings' && storage.distinct !== undefined
    ? type.attributes.get(storage.distinct)
    : undefined
