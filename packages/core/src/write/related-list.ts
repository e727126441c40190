import type { Bindable } from '../content-type/attribute-type.ts'
import {
  type Model,
  ownerColumns,
  type Registry,
  type RelationAttribute,
  type RelationStorage,
} from '../content-type/model.ts'
import type { Transaction } from '../store/store.ts'
import { quoted } from './recordset.ts'
import type { Position } from './write-plan.ts'

/**
 * Larger than any position that was given before: what gets it comes last in whatever list it is in, without looking
 * at the others and without waiting for anyone who writes to the same list.
 */
export const nextPosition = `nextval('octavo_position')`

/** Where the related entries of one row are kept, as SQL. Every text has the list's own parameters first. */
interface Place {
  readonly table: string
  /** Column of the related entry's id. */
  readonly item: string
  readonly position: string | undefined
  /** Tells this list's rows. */
  readonly scope: string
  readonly parameters: readonly Bindable[]
  /** Takes `item` rows out of the list. `condition` is ANDed with the scope. */
  readonly drop: (condition: string) => string
  /** Puts rows `(id, position)` of `source` into the list, or moves them there. */
  readonly add: (source: string) => string
}

/** The to-many side of a relation of one row, or the one entry on the far side of a one-to-one. */
export class RelatedList {
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  async removeAllBut(ids: readonly number[], tx: Transaction): Promise<void> {
    await this.#run(this.#place.drop(`${this.#place.item} <> all($${this.#next}::int4[])`), [ids], tx)
  }

  async remove(ids: readonly number[], tx: Transaction): Promise<void> {
    await this.#run(this.#place.drop(`${this.#place.item} = any($${this.#next}::int4[])`), [ids], tx)
  }

  /** Puts them at the end, in their order; those that are there already are moved. */
  async append(ids: readonly number[], tx: Transaction): Promise<void> {
    if (ids.length === 0) return
    const inOrder = `select "i"."id" from unnest($${this.#next}::int4[]) with ordinality as "i" ("id", "n") order by "i"."n"`
    await this.#run(
      this.#place.add(`select "o"."id", ${nextPosition} as "position" from (${inOrder}) as "o"`),
      [ids],
      tx,
    )
  }

  async put(id: number, position: number, tx: Transaction): Promise<void> {
    await this.#run(
      this.#place.add(`select $${this.#next}::int4 as "id", $${this.#next + 1}::float8 as "position"`),
      [id, position],
      tx,
    )
  }

  /**
   * A position at the start, or beside an entry that is in the list; `undefined` when that one is not.
   * @param moving The entry that gets it, and so does not count as a neighbour.
   */
  async placeFor(position: Position, moving: number, tx: Transaction): Promise<number | undefined> {
    if (position.kind === 'end') return undefined
    for (let renumbered = false; ; renumbered = true) {
      const [low, high] = await this.#neighbours(position, moving, tx)
      if (low === undefined && high === undefined)
        return position.kind === 'start' ? this.#first(tx) : undefined
      const middle =
        low === undefined ? (high as number) - 1 : high === undefined ? undefined : (low + high) / 2
      // After the last one is the end of the list.
      if (middle === undefined) return this.#first(tx)
      if (middle !== low && middle !== high) return middle
      // Two neighbours have no number between them any more (after some fifty insertions at one spot).
      if (renumbered)
        throw new Error(`No position is left between ${low} and ${high} in ${this.#place.table}`)
      await this.#renumber(tx)
    }
  }

  /** The positions that the new one must lie between; none when the entry that it refers to is not in the list. */
  async #neighbours(
    position: Exclude<Position, { kind: 'end' }>,
    moving: number,
    tx: Transaction,
  ): Promise<readonly [number | undefined, number | undefined]> {
    const { table, item, scope, position: column } = this.#place
    const n = this.#next
    const rows = `select ${item} as "id", ${column} as "p" from ${table} where ${scope} and ${item} <> $${n}::int4`
    if (!('id' in position)) {
      const [row] = await this.#run(`select min("r"."p") from (${rows}) as "r"`, [moving], tx)
      return [undefined, number(row?.[0])]
    }
    const { id: beside } = position
    const before = position.kind === 'before'
    const other = before
      ? 'max("r"."p") filter (where "r"."p" < "a"."p")'
      : 'min("r"."p") filter (where "r"."p" > "a"."p")'
    const [row] = await this.#run(
      `select "a"."p", (select ${other} from (${rows}) as "r") from (${rows}) as "a" where "a"."id" = $${n + 1}::int4`,
      [moving, beside],
      tx,
    )
    const [at, beyond] = [number(row?.[0]), number(row?.[1])]
    if (row && at === undefined) {
      // A row from before the relation had an order.
      await this.#renumber(tx)
      return this.#neighbours(position, moving, tx)
    }
    return before ? [beyond, at] : [at, beyond]
  }

  async #first(tx: Transaction): Promise<number> {
    const [row] = await tx.query(`select ${nextPosition}`)
    return Number(row?.[0])
  }

  /** Gives every entry of the list a new whole number, in the order that they have. */
  async #renumber(tx: Transaction): Promise<void> {
    const { table, item, scope, position } = this.#place
    const inOrder = `select ${item} as "id" from ${table} where ${scope} order by ${position}, ${item}`
    await this.#run(
      `update ${table} set ${position} = "n"."position" from (select "o"."id", ${nextPosition} as "position" from (${inOrder}) as "o") as "n" where ${scope} and ${item} = "n"."id"`,
      [],
      tx,
    )
  }

  get #next(): number {
    return this.#place.parameters.length + 1
  }

  #run(
    text: string,
    parameters: readonly Bindable[],
    tx: Transaction,
  ): Promise<readonly (readonly unknown[])[]> {
    return tx.query(text, [...this.#place.parameters, ...parameters])
  }
}

const number = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

/** The related entries of the row `id` of `model`. */
export function listOf(
  model: Model,
  id: number,
  attribute: RelationAttribute,
  storage: Extract<RelationStorage, { kind: 'foreign' | 'join' | 'link' }>,
  registry: Registry,
): RelatedList {
  switch (storage.kind) {
    case 'foreign':
      return new RelatedList(inTarget(registry.contentType(attribute.target).table, id, storage))
    case 'join':
      return new RelatedList(inJoinTable(id, attribute, storage))
    case 'link':
      return new RelatedList(inLinkTable(model, id, attribute, storage))
  }
}

function inTarget(name: string, id: number, storage: Extract<RelationStorage, { kind: 'foreign' }>): Place {
  const table = quoted(name)
  const key = quoted(storage.column)
  const position = storage.position === undefined ? undefined : quoted(storage.position)
  const scope = `${table}.${key} = $1::int4`
  return {
    table,
    item: `${table}."id"`,
    position,
    scope,
    parameters: [id],
    drop: (condition) =>
      `update ${table} set ${key} = null${position ? `, ${position} = null` : ''} where ${scope} and ${condition}`,
    // A child has one parent: being connected here takes it from the one that it had.
    add: (source) =>
      `update ${table} set ${key} = $1::int4${position ? `, ${position} = "s"."position"` : ''} from (${source}) as "s" where ${table}."id" = "s"."id"`,
  }
}

function inJoinTable(
  id: number,
  attribute: RelationAttribute,
  storage: Extract<RelationStorage, { kind: 'join' }>,
): Place {
  const table = quoted(storage.table)
  const own = quoted(storage.own)
  const target = quoted(storage.target)
  const position = quoted(storage.position)
  const inverse = storage.inversePosition === undefined ? undefined : quoted(storage.inversePosition)
  const scope = `${own} = $1::int4`
  const columns = [own, target, position, ...(inverse ? [inverse] : [])]
  const values = ['$1::int4', '"s"."id"', '"s"."position"', ...(inverse ? [nextPosition] : [])]
  const insert = (source: string): string =>
    `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from (${source}) as "s" ` +
    `on conflict (${own}, ${target}) do update set ${position} = excluded.${position}`
  return {
    table,
    item: target,
    position,
    scope,
    parameters: [id],
    drop: (condition) => `delete from ${table} where ${scope} and ${condition}`,
    add: attribute.exclusive
      ? (source) =>
          `with "taken" as (delete from ${table} where ${own} <> $1::int4 and ${target} in (select "x"."id" from (${source}) as "x")) ${insert(source)}`
      : insert,
  }
}

function inLinkTable(
  model: Model,
  id: number,
  attribute: RelationAttribute,
  storage: Extract<RelationStorage, { kind: 'link' }>,
): Place {
  const table = quoted(storage.table)
  const target = quoted(storage.target)
  const {
    type,
    id: owner,
    field,
    position,
  } = {
    type: quoted(ownerColumns.type),
    id: quoted(ownerColumns.id),
    field: quoted(ownerColumns.field),
    position: quoted(ownerColumns.position),
  }
  const scope = `${owner} = $1::int4 and ${type} = $2 and ${field} = $3`
  const taken = attribute.exclusive
    ? `"taken" as (delete from ${table} where not (${scope}) and ${target} in (select "id" from "s")), `
    : ''
  return {
    table,
    item: target,
    position,
    scope,
    parameters: [id, model.uid, attribute.name],
    drop: (condition) => `delete from ${table} where ${scope} and ${condition}`,
    // The rows of a link table have ids of their own, so what moves is updated and what is new inserted.
    add: (source) =>
      `with "s" as (${source}), ${taken}"moved" as (update ${table} set ${position} = "s"."position" from "s" where ${scope} and ${target} = "s"."id" returning ${target} as "id") ` +
      `insert into ${table} (${target}, ${owner}, ${type}, ${field}, ${position}) select "s"."id", $1::int4, $2, $3, "s"."position" from "s" where "s"."id" not in (select "id" from "moved")`,
  }
}
