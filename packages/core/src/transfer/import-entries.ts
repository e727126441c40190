import type { ContentType, Model, Registry, RelationAttribute } from '../content-type/model.ts'
import { isId } from '../id.ts'
import { isObject } from '../is-object.ts'
import { param, sql } from '../sql/sql.ts'
import type { Transaction } from '../store/store.ts'
import { relationsOf } from '../store/tables.ts'
import type { DataEntry } from './data-file.ts'
import { EntryRows, type LeftOut, type Link, leaveOut, type RowContext } from './entry-rows.ts'
import { brief, describe, idOf, type Place } from './import-place.ts'
import { Mistakes, maxMistakes } from './mistakes.ts'

export type Entries = Readonly<Record<string, readonly DataEntry[]>>

export interface EntriesContext {
  readonly tx: Transaction
  readonly registry: Registry
  readonly leftOut: LeftOut
  /** Called periodically with the number of entries read. */
  readonly progress: (done: number, label: string) => void
}

/** A reference to an owner from the inverse side of a relation. */
interface Claim {
  readonly target: number
  /** Position in the other side's list, from 1. */
  readonly position: number
}

const idsAtATime = 10_000

/**
 * Writes the entries of a data file. Rows are written in batches of a thousand; memory is used for the file, the ids of
 * its entries, and the relations of one content-type.
 *
 * The transaction must have deferred foreign keys: an entry may refer to a later one.
 *
 * @throws ImportError with up to 20 mistakes.
 */
export async function importEntries(entries: Entries, context: EntriesContext): Promise<ImportedEntries> {
  const run = new EntriesImport(entries, context)
  try {
    return { count: await run.run(), checkReferences: () => run.checkAbsent() }
  } catch (error) {
    throw run.explain(error)
  }
}

export interface ImportedEntries {
  readonly count: number
  /**
   * Looks up references to entries that are not in the file (files, users) in the database. Call it
   * after all sections are imported.
   *
   * @throws ImportError
   */
  checkReferences(): Promise<void>
}

class EntriesImport {
  readonly #entries: Entries
  readonly #context: EntriesContext
  readonly #registry: Registry
  readonly #mistakes = new Mistakes()
  /** The index of each entry in its list, by uid. */
  readonly #indexes = new Map<string, Map<number, number>>()
  /** One more than the highest component id in the file, by uid. */
  readonly #pastIds = new Map<string, number>()
  /** Referenced ids that are not in the file, with the first reference; they may be in the database. */
  readonly #absent = new Map<string, Map<number, string>>()
  /** References from the other sides, for the relations of the current content-type. */
  #claimed: ReadonlyMap<string, ReadonlyMap<number, readonly Claim[]>> = new Map()
  readonly #rows: EntryRows
  #done = 0

  constructor(entries: Entries, context: EntriesContext) {
    this.#entries = entries
    this.#context = context
    this.#registry = context.registry
    this.#rows = new EntryRows({
      ...context,
      links: {
        read: (relation, given, row, name) => this.#agree(relation, given, row, name),
        groupKey: (relation, siblings, place) => this.#siblingsKey(relation, siblings, place),
      },
      mistake: (text) => this.#mistake(text),
      refer: (uid, id, place, name) => this.#refer(uid, id, place, name),
      pastId: (uid) => this.#pastIds.get(uid) ?? 1,
    })
  }

  async run(): Promise<number> {
    this.#scan()
    await this.#checkNew()
    // Errors that follow from wrong ids would be confusing.
    this.#mistakes.throwIfAny()
    for (const type of this.#registry.contentTypes.values()) await this.#importType(type)
    await this.#rows.flush()
    this.#mistakes.throwIfAny()
    await this.#rows.moveSequences()
    return this.#done
  }

  /** Call it after all possible targets are written. */
  async checkAbsent(): Promise<void> {
    const { tx } = this.#context
    for (const [uid, ids] of this.#absent) {
      const found = await idsAmong(this.#registry.contentType(uid), [...ids.keys()], tx)
      for (const id of found) ids.delete(id)
      for (const [id, place] of ids) this.#mistake(`${place}: there is no ${uid} with id ${id}.`)
    }
    this.#mistakes.throwIfAny()
  }

  explain(error: unknown): unknown {
    return this.#mistakes.explain(error)
  }

  #mistake(text: string): void {
    this.#mistakes.add(text)
  }

  /** Collects all ids before references are checked. */
  #scan(): void {
    for (const [uid, list] of Object.entries(this.#entries)) {
      const type = this.#registry.contentTypes.get(uid)
      if (!type) {
        leaveOut(this.#context.leftOut, `entries of ${uid}`, list.length)
        continue
      }
      const indexes = new Map<number, number>()
      this.#indexes.set(uid, indexes)
      for (const [index, entry] of list.entries()) this.#scanEntry(type, entry, index, indexes)
    }
  }

  #scanEntry(type: ContentType, entry: unknown, index: number, indexes: Map<number, number>): void {
    const at = `entries["${type.uid}"][${index}]`
    const id = idOf(entry)
    const first = id === undefined ? undefined : indexes.get(id)
    if (!isObject(entry)) {
      this.#mistake(`${at}: expected an object.`)
    } else if (id === undefined) {
      this.#mistake(`${at}, "id": expected a whole number of at least 1.`)
    } else if (first !== undefined) {
      this.#mistake(`${at} (id ${id}): entries["${type.uid}"][${first}] has the same id.`)
    } else {
      indexes.set(id, index)
      this.#scanComponents(type, entry)
    }
  }

  /** Entries are added, never changed: an existing id is a mistake. */
  async #checkNew(): Promise<void> {
    for (const [uid, indexes] of this.#indexes) {
      const type = this.#registry.contentType(uid)
      const ids = [...indexes.keys()]
      for (let start = 0; start < ids.length; start += idsAtATime) {
        const some = ids.slice(start, start + idsAtATime)
        for (const id of (await idsAmong(type, some, this.#context.tx)).slice(0, maxMistakes))
          this.#mistake(`${this.#placeOf(uid, id)}: the database has this entry already.`)
      }
    }
  }

  #scanComponents(model: Model, entry: DataEntry): void {
    for (const attribute of model.attributes.values()) {
      if (attribute.kind !== 'component' && attribute.kind !== 'zone') continue
      for (const item of [entry[attribute.name]].flat()) {
        if (!isObject(item)) continue
        const uid = attribute.kind === 'component' ? attribute.component : String(item.__component)
        const component = this.#registry.components.get(uid)
        if (!component) continue
        if (isId(item.id)) this.#pastIds.set(uid, Math.max(this.#pastIds.get(uid) ?? 1, item.id + 1))
        this.#scanComponents(component, item)
      }
    }
  }

  async #importType(type: ContentType): Promise<void> {
    const list = this.#entries[type.uid] ?? []
    const claims = new Map<string, Map<number, Claim[]>>()
    for (const relation of relationsOf(type)) {
      if (isOwner(relation) && relation.inverse)
        claims.set(relation.name, this.#claims(relation, relation.inverse))
    }
    this.#claimed = claims
    for (const [index, entry] of list.entries()) {
      const id = idOf(entry)
      if (id === undefined) continue
      await this.#rows.add(entry, { type, index, id })
      this.#done++
      if (this.#done % 500 === 0) this.#context.progress(this.#done, type.uid)
    }
    this.#checkClaims(type, claims)
    if (list.length > 0) this.#context.progress(this.#done, type.uid)
  }

  /** References from the relation's target entries, by the owner's id. */
  #claims(relation: RelationAttribute, inverse: string): Map<number, Claim[]> {
    const claims = new Map<number, Claim[]>()
    const target = this.#registry.contentType(relation.target)
    const attribute = target.attributes.get(inverse)
    if (attribute?.kind !== 'relation') return claims
    for (const [index, entry] of (this.#entries[target.uid] ?? []).entries()) {
      const id = idOf(entry)
      const value = id === undefined ? undefined : entry[inverse]
      if (id === undefined || value === undefined) continue
      const owners = this.#readIds(value, attribute.many, { type: target, index, id }, inverse)
      owners.forEach((owner, i) => {
        const claim: Claim = { target: id, position: i + 1 }
        const known = claims.get(owner)
        if (known) known.push(claim)
        else claims.set(owner, [claim])
      })
    }
    return claims
  }

  /** Reports references to owners that are not in the file. */
  #checkClaims(type: ContentType, claims: ReadonlyMap<string, ReadonlyMap<number, readonly Claim[]>>): void {
    const known = this.#indexes.get(type.uid)
    for (const [name, byOwner] of claims) {
      const relation = type.attributes.get(name) as RelationAttribute // the keys are names of relations
      for (const [owner, [claim]] of byOwner) {
        if (known?.has(owner) || !claim) continue
        const place = this.#placeOf(relation.target, claim.target)
        this.#mistake(
          `${place}, attributes "${relation.inverse}": there is no ${type.uid} with id ${owner} in the file.`,
        )
      }
    }
  }

  /** Merges both sides of a relation. @returns targets in the owner's order, with their position on the other side. */
  #agree(relation: RelationAttribute, given: unknown, row: RowContext, name: string): readonly Link[] {
    const { place, path, id } = row
    // Relations of components are one-way.
    const claimed = path === '' ? this.#claimed.get(relation.name)?.get(id) : undefined
    const claims = new Map(claimed?.map((claim) => [claim.target, claim.position]))
    if (given === undefined) {
      const targets = [...claims.keys()].sort((a, b) => a - b)
      if (!relation.many && targets.length > 1) {
        const [one, other] = targets.map((target) => this.#placeOf(relation.target, target))
        this.#mistake(
          `${one} and ${other}, attributes "${relation.inverse}": both name ${id}, which can have only one.`,
        )
      }
      return targets.map((target) => ({ target, position: claims.get(target) ?? null }))
    }
    const targets = this.#readIds(given, relation.many, place, name)
    for (const target of targets) {
      if (relation.inverse && !claims.has(target) && this.#says(relation.target, target, relation.inverse)) {
        this.#mistake(
          `${describe(place)}, attributes "${name}": names ${target}, but ` +
            `${this.#placeOf(relation.target, target)}, attributes "${relation.inverse}", does not name ${id}.`,
        )
      }
    }
    const named = new Set(targets)
    if (named.size < targets.length && relation.storage.kind !== 'link') {
      const twice = targets.find((target, i) => targets.indexOf(target) < i)
      this.#mistake(`${describe(place)}, attributes "${name}": names ${twice} twice.`)
      return []
    }
    for (const target of claims.keys()) {
      if (named.has(target)) continue
      this.#mistake(
        `${this.#placeOf(relation.target, target)}, attributes "${relation.inverse}": names ${id}, but ` +
          `${describe(place)}, attributes "${name}", does not name ${target}.`,
      )
    }
    return targets.map((target) => ({ target, position: claims.get(target) ?? null }))
  }

  /** The key of a group is its smallest id. */
  #siblingsKey(relation: RelationAttribute, siblings: readonly number[], place: Place): number {
    for (const sibling of siblings) {
      const index = this.#indexes.get(relation.target)?.get(sibling)
      const entry = index === undefined ? undefined : this.#entries[relation.target]?.[index]
      const theirs = entry ? [entry[relation.name]].flat() : undefined
      if (!theirs) continue
      const same =
        theirs.includes(place.id) && siblings.every((other) => other === sibling || theirs.includes(other))
      if (!same) {
        this.#mistake(
          `${describe(place)}, attributes "${relation.name}": names ${sibling}, but ` +
            `${this.#placeOf(relation.target, sibling)}, attributes "${relation.name}", does not name the same.`,
        )
      }
    }
    return Math.min(place.id, ...siblings)
  }

  #readIds(value: unknown, many: boolean, place: Place, name: string): readonly number[] {
    const wrong = (expected: string): readonly number[] => {
      this.#mistake(`${describe(place)}, attributes "${name}": expected ${expected}, not ${brief(value)}.`)
      return []
    }
    if (value === null) return []
    if (!many) return isId(value) ? [value] : wrong('an id or null')
    if (!Array.isArray(value) || !value.every(isId)) return wrong('a list of ids')
    return value
  }

  /** Whether the entry in the file has a value for the attribute. */
  #says(uid: string, id: number, name: string): boolean {
    const index = this.#indexes.get(uid)?.get(id)
    return index !== undefined && this.#entries[uid]?.[index]?.[name] !== undefined
  }

  #refer(uid: string, id: number, place: Place, name: string): void {
    if (this.#indexes.get(uid)?.has(id)) return
    const absent = this.#absent.get(uid) ?? new Map<number, string>()
    this.#absent.set(uid, absent)
    if (!absent.has(id)) absent.set(id, `${describe(place)}, attributes "${name}"`)
  }

  #placeOf(uid: string, id: number): string {
    return describe({
      type: this.#registry.contentType(uid),
      index: this.#indexes.get(uid)?.get(id) ?? -1,
      id,
    })
  }
}

/** Whether this side owns the relation. */
const isOwner = ({ storage }: RelationAttribute): boolean =>
  storage.kind === 'own' || (storage.kind === 'join' && storage.owner)

/** The ids that exist in the database, ascending. */
async function idsAmong(
  { table }: ContentType,
  ids: readonly number[],
  tx: Transaction,
): Promise<readonly number[]> {
  const rows = await tx.run(
    sql`select "id" from ${sql.id(table)} where "id" = any(${param(ids, 'int4[]')}) order by "id"`,
  )
  return rows.map(({ id }) => Number(id))
}
