import type { Bindable } from '../content-type/attribute-type.ts'
import type { Model, MorphAttribute, Registry, RelationAttribute } from '../content-type/model.ts'
import { idType } from '../schema/tables/tables.ts'
import { readMorph } from '../write/input/morph-input.ts'
import { InvalidRelation } from '../write/input/relation-input.ts'
import { describe, type Place, type RowContext } from './import-place.ts'
import { ownerKey, positionType } from './row-columns.ts'
import type { RowWriters } from './row-writers.ts'

/** A related entry, in the order of the owner's list. */
export interface Link {
  readonly target: number
  /** Position of the owner in the other side's list, from 1; `null` without an order. */
  readonly position: number | null
}

/** Reads the relations of a row. */
export interface LinkReader {
  read(relation: RelationAttribute, given: unknown, row: RowContext, name: string): readonly Link[]
  /** The common key of this entry and its siblings. */
  groupKey(relation: RelationAttribute, siblings: readonly number[], place: Place): number
}

export interface LinkRowsContext {
  readonly registry: Registry
  readonly links: LinkReader
  /** Collects a mistake, as a sentence; throws when there are too many. */
  mistake(text: string): void
  /** Records a reference from one entry to another. */
  refer(uid: string, id: number, place: Place, name: string): void
}

/** Writes the relations of imported rows: the rows of join and link tables, and the foreign keys of the row itself. */
export class LinkRows {
  readonly #context: LinkRowsContext
  readonly #writers: RowWriters

  constructor(context: LinkRowsContext, writers: RowWriters) {
    this.#context = context
    this.#writers = writers
  }

  /** Writes the rows of a relation's own table, if it has one. @returns the values of its columns in the owner's row. */
  async add(
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
        const writer = this.#writers.of(storage.table, () => [
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
        const writer = this.#writers.of(storage.table, () => [
          { name: storage.target, type: idType },
          ...ownerKey,
        ])
        for (const [i, { target }] of links.entries()) {
          await writer.add([target, model.uid, id, relation.name, i + 1], place)
        }
        return []
      }
      case 'siblings': {
        const siblings = links.map(({ target }) => target)
        return [this.#context.links.groupKey(relation, siblings, place)]
      }
    }
  }

  /** Only relations without an inverse are written here; others are written by the other side. */
  async addMorph(morph: MorphAttribute, given: unknown, { place, id }: RowContext): Promise<void> {
    if (given === undefined || given === null) return
    const writer = this.#writers.of(morph.table, () => [{ name: morph.column, type: idType }, ...ownerKey])
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
}
