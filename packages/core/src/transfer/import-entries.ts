import { type Bindable, InvalidValue } from '../content-type/attribute-type.ts'
import {
  type ComponentAttribute,
  type ContentType,
  type Model,
  type MorphAttribute,
  ownerColumns,
  type Registry,
  type RelationAttribute,
  type ScalarAttribute,
  type ZoneAttribute,
} from '../content-type/model.ts'
import { quote } from '../store/quote.ts'
import type { Transaction } from '../store/store.ts'
import { idType, relationsOf } from '../store/tables.ts'
import { readMorph } from '../write/morph-input.ts'
import { InvalidRelation } from '../write/relation-input.ts'
import { defaultOf } from '../write/validate.ts'
import { type DataEntry, isObject } from './data-file.ts'
import { ImportError } from './import-error.ts'
import { type PendingValue, RefusedRow, type RowColumn, RowWriter } from './row-writer.ts'

export type Entries = Readonly<Record<string, readonly DataEntry[]>>

/** Counts of what is not taken over, by what it is. */
export type LeftOut = Map<string, number>

export interface EntriesContext {
  readonly tx: Transaction
  readonly registry: Registry
  readonly leftOut: LeftOut
  /** Called now and then with the number of entries that were read. */
  readonly progress: (done: number, label: string) => void
}

/** An entry of the file, for messages: `entries["api::book.book"][12] (id 13)`. */
interface Place {
  readonly type: ContentType
  readonly index: number
  readonly id: number
}

/** What one entry says of another through the inverse side of a relation. */
interface Claim {
  readonly target: number
  /** From 1, in the order of the other side's list. */
  readonly position: number
}

/** How many mistakes are collected before giving up. */
const maxMistakes = 20

const idsAtATime = 10_000

/**
 * Writes the entries of a data file. Rows are written as they are read, a thousand at a time; in memory besides the file
 * there are the ids of its entries, and the relations of one content-type.
 *
 * The transaction must have its foreign keys deferred: an entry may name one that comes later.
 *
 * @throws ImportError with the mistakes that were found, up to 20.
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
   * Looks in the database for what entries refer to and the file's entries do not have (files, users). To be called
   * when all sections have been imported.
   *
   * @throws ImportError
   */
  checkReferences(): Promise<void>
}

class EntriesImport {
  readonly #entries: Entries
  readonly #context: EntriesContext
  readonly #registry: Registry
  readonly #mistakes: string[] = []
  /** By uid, where each entry stands in its list. */
  readonly #indexes = new Map<string, Map<number, number>>()
  readonly #writers = new Map<string, RowWriter>()
  /** One past the highest id of the file's components, by uid. */
  readonly #pastIds = new Map<string, number>()
  /** The next id for components that have none, by uid. */
  readonly #nextIds = new Map<string, number>()
  /** Ids that entries refer to but the file does not have, with the first place that does: maybe the database has them. */
  readonly #absent = new Map<string, Map<number, string>>()
  readonly #now = new Date()
  #done = 0

  constructor(entries: Entries, context: EntriesContext) {
    this.#entries = entries
    this.#context = context
    this.#registry = context.registry
  }

  async run(): Promise<number> {
    this.#scan()
    await this.#checkNew()
    // With wrong ids, whatever came next would only be confusing.
    this.#throwMistakes()
    for (const type of this.#registry.contentTypes.values()) await this.#importType(type)
    for (const writer of this.#writers.values()) await writer.flush()
    this.#throwMistakes()
    await this.#moveSequences()
    return this.#done
  }

  /** To be called when everything that an entry may refer to has been written. */
  async checkAbsent(): Promise<void> {
    const { tx } = this.#context
    for (const [uid, ids] of this.#absent) {
      const { table } = this.#registry.contentType(uid)
      const rows = await tx.query(`select id from ${quote(table)} where id = any($1::int[])`, [
        [...ids.keys()],
      ])
      for (const [id] of rows) ids.delete(Number(id))
      for (const [id, place] of ids) this.#mistake(`${place}: there is no ${uid} with id ${id}.`)
    }
    this.#throwMistakes()
  }

  explain(error: unknown): unknown {
    if (!(error instanceof RefusedRow)) return error
    const place = error.origin as Place | undefined // what this class gives the writers
    return new ImportError(
      [...this.#mistakes, place ? `${describe(place)}, ${error.message}.` : `${error.message}.`],
      false,
      error,
    )
  }

  #mistake(text: string): void {
    this.#mistakes.push(text)
    if (this.#mistakes.length >= maxMistakes) throw new ImportError(this.#mistakes, true)
  }

  #throwMistakes(): void {
    if (this.#mistakes.length > 0) throw new ImportError(this.#mistakes)
  }

  #leaveOut(what: string, count = 1): void {
    const { leftOut } = this.#context
    leftOut.set(what, (leftOut.get(what) ?? 0) + count)
  }

  /** Notes which ids there are, before anything refers to them. */
  #scan(): void {
    for (const [uid, list] of Object.entries(this.#entries)) {
      const type = this.#registry.contentTypes.get(uid)
      if (!type) {
        this.#leaveOut(`entries of ${uid}`, list.length)
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

  /** Entries are added, never changed: an id that is taken is a mistake. */
  async #checkNew(): Promise<void> {
    for (const [uid, indexes] of this.#indexes) {
      const { table } = this.#registry.contentType(uid)
      const ids = [...indexes.keys()]
      for (let start = 0; start < ids.length; start += idsAtATime) {
        const some = ids.slice(start, start + idsAtATime)
        const rows = await this.#context.tx.query(
          `select id from ${quote(table)} where id = any($1::int[]) order by id limit ${maxMistakes}`,
          [some],
        )
        for (const [id] of rows)
          this.#mistake(`${this.#placeOf(uid, Number(id))}: the database has this entry already.`)
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
    for (const [index, entry] of list.entries()) {
      const id = idOf(entry)
      if (id === undefined) continue
      const place: Place = { type, index, id }
      await this.#importRow(type, entry, { place, path: '', id, owner: [], claims })
      this.#done++
      if (this.#done % 500 === 0) this.#context.progress(this.#done, type.uid)
    }
    this.#checkClaims(type, claims)
    if (list.length > 0) this.#context.progress(this.#done, type.uid)
  }

  /** What the entries of the relation's target say about the owners, by the owner's id. */
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

  /** Claims about owners that the file does not have. */
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

  async #importRow(model: Model, entry: DataEntry, row: RowContext): Promise<void> {
    const { place, path, id } = row
    for (const name of Object.keys(entry)) {
      if (name !== 'id' && name !== '__component' && !model.attributes.has(name) && !model.morphs.has(name))
        this.#leaveOut(`attribute ${name} of ${model.uid}`)
    }
    const values: PendingValue[] = [id, ...row.owner]
    for (const attribute of model.attributes.values()) {
      if (attribute.kind === 'scalar') {
        values.push(this.#readScalar(attribute, entry[attribute.name], place, path))
      } else if (attribute.kind === 'relation') {
        values.push(...(await this.#importRelation(model, attribute, entry[attribute.name], row)))
      } else {
        await this.#importComponents(model, attribute, entry[attribute.name], row)
      }
    }
    await this.#writer(model.table, () => modelColumns(model)).add(values, place)
    for (const morph of model.morphs.values()) await this.#importMorph(morph, entry[morph.name], row)
  }

  /** What leads nowhere back stands here; the rest is said by the other side. */
  async #importMorph(morph: MorphAttribute, given: unknown, { place, id }: RowContext): Promise<void> {
    if (given === undefined || given === null) return
    const writer = this.#writer(morph.table, () => [{ name: morph.column, type: idType }, ...ownerKey])
    try {
      const change = readMorph(given, morph, this.#registry)
      if (change.kind !== 'set') throw new InvalidRelation('takes { "id", "type" } or a list of these')
      for (const item of change.items) {
        this.#refer(item.type, item.id, place, morph.name)
        await writer.add([id, item.type, item.id, item.field, null], place)
      }
    } catch (error) {
      if (!(error instanceof InvalidRelation)) throw error
      this.#mistake(`${describe(place)}, attributes "${morph.name}": ${error.message}.`)
    }
  }

  #readScalar(attribute: ScalarAttribute, given: unknown, place: Place, path: string): PendingValue {
    const { name, type, definition } = attribute
    // Left out is not null: a file written by hand means the default, and an export writes every null.
    const value = given === undefined ? defaultOf(definition) : given
    if (value === undefined && (name === 'createdAt' || name === 'updatedAt') && path === '') return this.#now
    if (value === undefined || value === null) return null
    try {
      const read = type.fromJson(value, definition)
      return type.seal && !type.isSealed?.(read) ? type.seal(read) : read
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      this.#mistake(
        `${describe(place)}, attributes "${path}${name}": expected ${error.message}, not ${brief(value)}.`,
      )
      return null
    }
  }

  /** Writes the rows of a relation's own table, if it has one. @returns the values of its columns in the owner's row. */
  async #importRelation(
    model: Model,
    relation: RelationAttribute,
    given: unknown,
    row: RowContext,
  ): Promise<readonly Bindable[]> {
    const { storage } = relation
    const { place, id } = row
    const name = `${row.path}${relation.name}`
    if (storage.kind === 'foreign' || (storage.kind === 'join' && !storage.owner)) return []

    const links = this.#agree(relation, given, row, name)
    for (const { target } of links) this.#refer(relation.target, target, place, name)
    switch (storage.kind) {
      case 'own': {
        const [link] = links
        return storage.position ? [link?.target ?? null, link?.position ?? null] : [link?.target ?? null]
      }
      case 'join': {
        const writer = this.#writer(storage.table, () => [
          { name: storage.own, type: idType },
          { name: storage.target, type: idType },
          { name: storage.position, type: positionType },
          ...(storage.inversePosition ? [{ name: storage.inversePosition, type: positionType }] : []),
        ])
        for (const [i, { target, position }] of links.entries()) {
          await writer.add([id, target, i + 1, ...(storage.inversePosition ? [position] : [])], place)
        }
        return []
      }
      case 'link': {
        const writer = this.#writer(storage.table, () => [
          { name: storage.target, type: idType },
          ...ownerKey,
        ])
        for (const [i, { target }] of links.entries()) {
          await writer.add([target, model.uid, id, relation.name, i + 1], place)
        }
        return []
      }
      case 'siblings':
        return [
          this.#siblingsKey(
            relation,
            links.map(({ target }) => target),
            place,
          ),
        ]
    }
  }

  /** What both sides of a relation say, put together. @returns targets in the owner's order, with their place on the other side. */
  #agree(relation: RelationAttribute, given: unknown, row: RowContext, name: string): readonly Link[] {
    const { place, id } = row
    const claims = new Map(
      row.claims
        ?.get(relation.name)
        ?.get(id)
        ?.map((claim) => [claim.target, claim.position]),
    )
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

  /** The group's key is the least id in it. */
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

  async #importComponents(
    model: Model,
    attribute: ComponentAttribute | ZoneAttribute,
    given: unknown,
    row: RowContext,
  ): Promise<void> {
    if (given === undefined || given === null) return
    const name = `${row.path}${attribute.name}`
    const list = attribute.kind === 'zone' || attribute.repeatable
    if (list !== Array.isArray(given)) {
      return this.#mistake(
        `${describe(row.place)}, attributes "${name}": expected ${list ? 'a list' : 'an object or null'}.`,
      )
    }
    for (const [i, item] of [given].flat().entries()) {
      const path = list ? `${name}[${i}]` : name
      if (!isObject(item)) {
        this.#mistake(`${describe(row.place)}, attributes "${path}": expected an object.`)
        continue
      }
      const uid = attribute.kind === 'component' ? attribute.component : item.__component
      if (attribute.kind === 'zone' && !attribute.components.includes(String(uid))) {
        this.#mistake(
          `${describe(row.place)}, attributes "${path}.__component": expected ${attribute.components.join(', ')}, not ${brief(uid)}.`,
        )
        continue
      }
      const component = this.#registry.component(String(uid))
      if (item.id !== undefined && !isId(item.id)) {
        this.#mistake(
          `${describe(row.place)}, attributes "${path}.id": expected a whole number of at least 1.`,
        )
        continue
      }
      const id = item.id ?? (await this.#newId(component.uid))
      const owner = [model.uid, row.id, attribute.name, i + 1]
      await this.#importRow(component, item, {
        place: row.place,
        path: `${path}.`,
        id,
        owner,
        claims: undefined,
      })
    }
  }

  /** An id for a component that has none: past those of the file and of the database. */
  async #newId(uid: string): Promise<number> {
    let next = this.#nextIds.get(uid)
    if (next === undefined) {
      const { table } = this.#registry.component(uid)
      const [[past] = []] = await this.#context.tx.query(
        `select coalesce(max(id), 0) + 1 from ${quote(table)}`,
      )
      next = Math.max(this.#pastIds.get(uid) ?? 1, Number(past))
    }
    this.#nextIds.set(uid, next + 1)
    return next
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

  /** Whether that entry of the file has a value for that attribute. */
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

  #writer(table: string, columns: () => readonly RowColumn[]): RowWriter {
    const known = this.#writers.get(table)
    if (known) return known
    const writer = new RowWriter(this.#context.tx, table, columns())
    this.#writers.set(table, writer)
    return writer
  }

  /** So that the next entry gets an id of its own. Never backwards: an id that was given away is not given again. */
  async #moveSequences(): Promise<void> {
    const { contentTypes, components } = this.#registry
    for (const { table } of [...contentTypes.values(), ...components.values()]) {
      if (!this.#writers.has(table)) continue
      await this.#context.tx.query(
        `select setval(s, greatest((select max(id) from ${quote(table)}), nextval(s))) from pg_get_serial_sequence($1, 'id') as s`,
        [quote(table)],
      )
    }
  }
}

/** Where a row belongs. */
interface RowContext {
  readonly place: Place
  /** Of the component within the entry, ending in a dot: `seo.keywords[0].` */
  readonly path: string
  readonly id: number
  /** A component's values of {@link ownerColumns}; empty for an entry. */
  readonly owner: readonly Bindable[]
  readonly claims: ReadonlyMap<string, ReadonlyMap<number, readonly Claim[]>> | undefined
}

interface Link {
  readonly target: number
  readonly position: number | null
}

const positionType = 'double precision'

const ownerKey: readonly RowColumn[] = [
  { name: ownerColumns.type, type: 'text' },
  { name: ownerColumns.id, type: idType },
  { name: ownerColumns.field, type: 'text' },
  { name: ownerColumns.position, type: positionType },
]

/** In the order in which `#importRow` gives the values. */
function modelColumns(model: Model): readonly RowColumn[] {
  const columns: RowColumn[] = [{ name: 'id', type: idType }]
  if (model.kind === 'component') columns.push(...ownerKey)
  for (const attribute of model.attributes.values()) {
    if (attribute.kind === 'scalar') {
      columns.push({ name: attribute.column, type: attribute.type.column(attribute.definition) })
    } else if (attribute.kind === 'relation') {
      const { storage } = attribute
      if (storage.kind === 'own' || storage.kind === 'siblings')
        columns.push({ name: storage.column, type: idType })
      if (storage.kind === 'own' && storage.position)
        columns.push({ name: storage.position, type: positionType })
    }
  }
  return columns
}

/** Whether this side says where the relation is written. */
const isOwner = ({ storage }: RelationAttribute): boolean =>
  storage.kind === 'own' || (storage.kind === 'join' && storage.owner)

/** The id of an entry, unless it has none: that was found before. */
const idOf = (entry: unknown): number | undefined =>
  isObject(entry) && isId(entry.id) ? entry.id : undefined

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 2_147_483_647

const describe = ({ type, index, id }: Place): string => `entries["${type.uid}"][${index}] (id ${id})`

/** A value as it is written, cut to what a line of a message can hold. */
function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
