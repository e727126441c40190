import type { Transaction } from '@octavo/database'
import { InvalidUnlessStored, InvalidValue } from '../content-type/attribute-type.ts'
import type { ComponentAttribute, Model, ScalarAttribute, ZoneAttribute } from '../content-type/model.ts'
import { isId } from '../id.ts'
import { brief, isObject } from '../kinds-of-values.ts'
import { defaultOf } from '../write/input/validate.ts'
import type { DataEntry } from './data-file.ts'
import { describe, type Place, type RowContext } from './import-place.ts'
import { type LeftOut, leaveOut } from './left-out.ts'
import { LinkRows, type LinkRowsContext } from './link-rows.ts'
import { modelColumns } from './row-columns.ts'
import type { PendingValue } from './row-writer.ts'
import { RowWriters } from './row-writers.ts'

export interface EntryRowsContext extends LinkRowsContext {
  readonly tx: Transaction
  readonly leftOut: LeftOut
  /** The time of the import by the database's clock. */
  readonly now: Date
  /** One more than the highest component id of this uid in the import; at least 1. */
  pastId(uid: string): number
  /** The number of components of this uid without an id, if it is known before they are read. */
  unnumbered(uid: string): number
}

/** Ids for components that are taken from the sequence at a time. */
const idsAtATime = 1_000

/** Writes entries, with their components and the rows of their relations, into the tables. */
export class EntryRows {
  readonly #context: EntryRowsContext
  readonly #writers: RowWriters
  readonly #links: LinkRows
  /** The next ids for components without one, in descending order, and the number of all that were taken, by uid. */
  readonly #newIds = new Map<string, { readonly ids: number[]; readonly taken: number }>()

  constructor(context: EntryRowsContext) {
    this.#context = context
    this.#writers = new RowWriters(context.tx)
    this.#links = new LinkRows(context, this.#writers)
  }

  /** Writes an entry. Rows are sent to the database a thousand at a time. @throws RefusedRow */
  async add(entry: DataEntry, place: Place): Promise<void> {
    await this.#add(place.type, entry, { place, path: '', id: place.id, owner: [] })
  }

  /** Sends the remaining rows. @throws RefusedRow */
  async flush(): Promise<void> {
    await this.#writers.flush()
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
        values.push(...(await this.#links.add(model, attribute, entry[attribute.name], row)))
      } else if (attribute.kind !== 'computed') {
        await this.#importComponents(model, attribute, entry[attribute.name], row)
      }
    }
    await this.#writers.of(model.table, () => modelColumns(model)).add(values, place)
    for (const morph of model.morphs.values()) await this.#links.addMorph(morph, entry[morph.name], row)
  }

  #readScalar(attribute: ScalarAttribute, given: unknown, place: Place, path: string): PendingValue {
    const { name, type, definition } = attribute
    // An absent value is not null: a handwritten file relies on the default, and an export writes every null.
    const value = given === undefined ? defaultOf(definition) : given
    if (value === undefined && (name === 'createdAt' || name === 'updatedAt') && path === '')
      return this.#context.now
    if (value === undefined || value === null) return null
    try {
      const read = type.fromJson(value, definition)
      return type.hash && !type.isHashed?.(read) ? type.hash(read) : read
    } catch (error) {
      // The value was stored where the data come from.
      if (error instanceof InvalidUnlessStored) return error.value
      if (!(error instanceof InvalidValue)) throw error
      // An invalid password is not shown either.
      const shown = type.secret ? '' : `, not ${brief(value)}`
      this.#context.mistake(
        `${describe(place)}, attributes "${path}${name}": expected ${error.message}${shown}.`,
      )
      return null
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

  /** An id for a component without one: above those of the file and of the database, which others may write at the same time. */
  async #newId(uid: string): Promise<number> {
    const { ids, taken } = this.#newIds.get(uid) ?? { ids: [], taken: 0 }
    const known = ids.pop()
    if (known !== undefined) return known
    const { table } = this.#context.registry.component(uid)
    const count = Math.min(Math.max(this.#context.unnumbered(uid) - taken, 1), idsAtATime)
    const [id = 0, ...others] = await this.#writers.takeIds(table, this.#context.pastId(uid) - 1, count)
    this.#newIds.set(uid, { ids: others.reverse(), taken: taken + count })
    return id
  }

  /** Moves the id sequences of entries and components to the highest imported id. */
  async moveSequences(): Promise<void> {
    const { contentTypes, components } = this.#context.registry
    await this.#writers.moveSequences(
      [...contentTypes.values(), ...components.values()].map(({ table }) => table),
    )
  }
}
