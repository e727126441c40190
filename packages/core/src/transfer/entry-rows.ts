import { type Bindable, InvalidValue } from '../content-type/attribute-type.ts'
import type {
  ComponentAttribute,
  Model,
  MorphAttribute,
  Registry,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../content-type/model.ts'
import { isId } from '../id.ts'
import { isObject } from '../is-object.ts'
import { param, sql } from '../sql/sql.ts'
import type { Transaction } from '../store/store.ts'
import { idType } from '../store/tables.ts'
import { readMorph } from '../write/morph-input.ts'
import { InvalidRelation } from '../write/relation-input.ts'
import { defaultOf } from '../write/validate.ts'
import type { DataEntry } from './data-file.ts'
import { brief, describe, type Place } from './import-place.ts'
import { modelColumns, ownerKey, positionType } from './row-columns.ts'
import { type PendingValue, type RowColumn, RowWriter } from './row-writer.ts'

/** Counts of skipped data, by kind. */
export type LeftOut = Map<string, number>

export function leaveOut(leftOut: LeftOut, what: string, count = 1): void {
  leftOut.set(what, (leftOut.get(what) ?? 0) + count)
}

/** A related entry, in the order of the owner's list. */
export interface Link {
  readonly target: number
  /** Position of the owner in the other side's list, from 1; `null` without an order. */
  readonly position: number | null
}

/** The entry, or the component within it, that a row is for. */
export interface RowContext {
  readonly place: Place
  /** The path of the component within the entry, with a final dot: `seo.keywords[0].` */
  readonly path: string
  readonly id: number
  /** A component's values of `ownerColumns`; empty for an entry. */
  readonly owner: readonly Bindable[]
}

/** Reads the relations of a row. */
export interface LinkReader {
  read(relation: RelationAttribute, given: unknown, row: RowContext, name: string): readonly Link[]
  /** The common key of this entry and its siblings. */
  groupKey(relation: RelationAttribute, siblings: readonly number[], place: Place): number
}

export interface EntryRowsContext {
  readonly tx: Transaction
  readonly registry: Registry
  readonly leftOut: LeftOut
  readonly links: LinkReader
  /** Collects a mistake, as a sentence; throws when there are too many. */
  mistake(text: string): void
  /** Records a reference from one entry to another. */
  refer(uid: string, id: number, place: Place, name: string): void
  /** One more than the highest component id of this uid in the import; at least 1. */
  pastId(uid: string): number
}

/** Writes entries, with their components and the rows of their relations, into the tables. */
export class EntryRows {
  readonly #context: EntryRowsContext
  readonly #writers = new Map<string, RowWriter>()
  /** The next id for components without one, by uid. */
  readonly #nextIds = new Map<string, number>()
  readonly #now = new Date()

  constructor(context: EntryRowsContext) {
    this.#context = context
  }

  /** Writes an entry. Rows are sent to the database a thousand at a time. @throws RefusedRow */
  async add(entry: DataEntry, place: Place): Promise<void> {
    await this.#add(place.type, entry, { place, path: '', id: place.id, owner: [] })
  }

  /** Sends the remaining rows. @throws RefusedRow */
  async flush(): Promise<void> {
    for (const writer of this.#writers.values()) await writer.flush()
  }

  async #add(model: Model, entry: DataEntry, row: RowContext): Promise<void> {
    const { place, path, id } = row
    for (const name of Object.keys(entry)) {
      if (name !== 'id' && name !== '__component' && !model.attributes.has(name) && !model.morphs.has(name))
        leaveOut(this.#context.leftOut, `attribute ${name} of ${model.uid}`)
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

  /** Only relations without an inverse are written here; others are written by the other side. */
  async #importMorph(morph: MorphAttribute, given: unknown, { place, id }: RowContext): Promise<void> {
    if (given === undefined || given === null) return
    const writer = this.#writer(morph.table, () => [{ name: morph.column, type: idType }, ...ownerKey])
    try {
      const change = readMorph(given, morph, this.#context.registry)
      if (change.kind !== 'set') throw new InvalidRelation('takes { "id", "type" } or a list of these')
      for (const item of change.items) {
        this.#context.refer(item.type, item.id, place, morph.name)
        await writer.add([id, item.type, item.id, item.field, null], place)
      }
    } catch (error) {
      if (!(error instanceof InvalidRelation)) throw error
      this.#context.mistake(`${describe(place)}, attributes "${morph.name}": ${error.message}.`)
    }
  }

  #readScalar(attribute: ScalarAttribute, given: unknown, place: Place, path: string): PendingValue {
    const { name, type, definition } = attribute
    // An absent value is not null: a handwritten file relies on the default, and an export writes every null.
    const value = given === undefined ? defaultOf(definition) : given
    if (value === undefined && (name === 'createdAt' || name === 'updatedAt') && path === '') return this.#now
    if (value === undefined || value === null) return null
    try {
      const read = type.fromJson(value, definition)
      return type.hash && !type.isHashed?.(read) ? type.hash(read) : read
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      this.#context.mistake(
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

    const links = this.#context.links.read(relation, given, row, name)
    for (const { target } of links) this.#context.refer(relation.target, target, place, name)
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
          this.#context.links.groupKey(
            relation,
            links.map(({ target }) => target),
            place,
          ),
        ]
    }
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
      return this.#context.mistake(
        `${describe(row.place)}, attributes "${name}": expected ${list ? 'a list' : 'an object or null'}.`,
      )
    }
    for (const [i, item] of [given].flat().entries()) {
      const path = list ? `${name}[${i}]` : name
      if (!isObject(item)) {
        this.#context.mistake(`${describe(row.place)}, attributes "${path}": expected an object.`)
        continue
      }
      const uid = attribute.kind === 'component' ? attribute.component : item.__component
      if (attribute.kind === 'zone' && !attribute.components.includes(String(uid))) {
        this.#context.mistake(
          `${describe(row.place)}, attributes "${path}.__component": expected ${attribute.components.join(', ')}, not ${brief(uid)}.`,
        )
        continue
      }
      const component = this.#context.registry.component(String(uid))
      if (item.id !== undefined && !isId(item.id)) {
        this.#context.mistake(
          `${describe(row.place)}, attributes "${path}.id": expected a whole number of at least 1.`,
        )
        continue
      }
      const id = item.id ?? (await this.#newId(component.uid))
      const owner = [model.uid, row.id, attribute.name, i + 1]
      await this.#add(component, item, {
        place: row.place,
        path: `${path}.`,
        id,
        owner,
      })
    }
  }

  /** An id for a component without one: above those of the file and of the database. */
  async #newId(uid: string): Promise<number> {
    let next = this.#nextIds.get(uid)
    if (next === undefined) {
      const { table } = this.#context.registry.component(uid)
      const [row] = await this.#context.tx.run(
        sql`select coalesce(max("id"), 0) + 1 as "past" from ${sql.id(table)}`,
      )
      next = Math.max(this.#context.pastId(uid), Number(row?.past))
    }
    this.#nextIds.set(uid, next + 1)
    return next
  }

  #writer(table: string, columns: () => readonly RowColumn[]): RowWriter {
    const known = this.#writers.get(table)
    if (known) return known
    const writer = new RowWriter(this.#context.tx, table, columns())
    this.#writers.set(table, writer)
    return writer
  }

  /** Moves the id sequences to the highest imported id. They are never decreased, so that no id is reused. */
  async moveSequences(): Promise<void> {
    const { contentTypes, components } = this.#context.registry
    for (const { table } of [...contentTypes.values(), ...components.values()]) {
      if (!this.#writers.has(table)) continue
      await this.#context.tx.run(
        sql`select setval(s, greatest((select max("id") from ${sql.id(table)}), pg_sequence_last_value(s::regclass))) from pg_get_serial_sequence(${param(`"${table}"`, 'text')}, 'id') as s`,
      )
    }
  }
}
