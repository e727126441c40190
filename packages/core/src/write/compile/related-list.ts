import type { BatchedTransaction } from '@octavo/database'
import { param, type Sql, sql } from '@octavo/database'
import {
  type Model,
  ownerColumns,
  type Registry,
  type RelationAttribute,
  type RelationStorage,
} from '../../content-type/model.ts'
import type { ListPosition } from '../input/write-plan.ts'
import { nextPosition, numbered } from './next-position.ts'
import { ownedBy } from './parts.ts'

const ids = (values: readonly number[]): Sql => param(values, 'int4[]')

/** Rows `(id, position)` behind all others, in the order of the ids; none when the write is refused, which has no owner. */
function appended(added: readonly number[], owner: Sql): Sql {
  const inOrder = sql`select "i"."id" from unnest(${ids(added)}) with ordinality as "i" ("id", "n") where ${owner} is not null order by "i"."n"`
  return numbered(inOrder)
}

/** The rows that hold the related entries of one row. */
interface ListRows {
  readonly table: Sql
  /** The id of the row with the list, as an expression. */
  readonly owner: Sql
  /** Column of the related entry's id. */
  readonly item: Sql
  readonly position: Sql | undefined
  /** The condition for the rows of this list. */
  readonly scope: Sql
  /** Removes the rows that meet a condition from the list. */
  readonly drop: (condition: Sql) => Sql
  /** Adds rows `(id, position)` to the list, or moves them. */
  readonly add: (source: Sql) => Sql
  /** Whether adding an entry changes no row of another list. */
  readonly isOwn: boolean
}

/** The to-many side of a relation of one row, or the other side of a one-to-one. */
export class RelatedList {
  readonly #rows: ListRows
  readonly #tx: BatchedTransaction

  constructor(rows: ListRows, tx: BatchedTransaction) {
    this.#rows = rows
    this.#tx = tx
  }

  /**
   * Makes the list exactly these entries, in this order. A list that is the same already, which clients send back with the rest of an
   * entry, is not written.
   * @param keep Further entries that remain.
   */
  replaceBy(given: readonly number[], keep: readonly number[] = []): void {
    const { table, owner, item, scope, position, drop, add, isOwn } = this.#rows
    if (!isOwn || position === undefined || keep.length > 0 || given.length === 0) {
      this.removeAllBut([...given, ...keep])
      this.append(given)
      return
    }
    // Entries without a position, of rows that are older than the order, are placed.
    const stored = sql`array(select case when ${position} is not null then ${item} end from ${table} where ${scope} order by ${position}, ${item})`
    const added = sql`${appended(given, owner)} where ${stored} is distinct from ${ids(given)}`
    this.#tx.send(sql`with "cut" as (${drop(sql`${item} <> all(${ids(given)})`)}) ${add(added)}`)
  }

  removeAllBut(kept: readonly number[]): void {
    const { drop, item } = this.#rows
    this.#tx.send(drop(sql`${item} <> all(${ids(kept)})`))
  }

  remove(gone: readonly number[]): void {
    const { drop, item } = this.#rows
    this.#tx.send(drop(sql`${item} = any(${ids(gone)})`))
  }

  /** Appends entries in their order; entries that are in the list already are moved. */
  append(added: readonly number[]): void {
    if (added.length === 0) return
    const { add, owner } = this.#rows
    this.#tx.send(add(appended(added, owner)))
  }

  put(id: number, position: number): void {
    this.#tx.send(
      this.#rows.add(sql`select ${param(id, 'int4')} as "id", ${param(position, 'float8')} as "position"`),
    )
  }

  /**
   * A position at the start, or beside an entry of the list; `undefined` when that entry is not in it.
   * @param moving The entry that gets the position, which is ignored as a neighbour.
   */
  async placeFor(position: ListPosition, moving: number): Promise<number | undefined> {
    if (position.kind === 'end') return undefined
    for (let renumbered = false; ; renumbered = true) {
      const [low, high] = await this.#neighbours(position, moving)
      if (low === undefined && high === undefined)
        return position.kind === 'start' ? this.#first() : undefined
      const middle =
        low === undefined ? (high as number) - 1 : high === undefined ? undefined : (low + high) / 2
      // After the last entry is the end of the list.
      if (middle === undefined) return this.#first()
      if (middle !== low && middle !== high) return middle
      // There is no number left between two neighbours (after about fifty insertions at one place).
      if (renumbered) throw new Error(`No position is left between ${low} and ${high}`)
      this.#renumber()
    }
  }

  /** The neighbouring positions; none when the given entry is not in the list. */
  async #neighbours(
    position: Exclude<ListPosition, { kind: 'end' }>,
    moving: number,
  ): Promise<readonly [number | undefined, number | undefined]> {
    const { table, item, scope, position: own = sql`null::float8` } = this.#rows
    const rows = sql`select ${item} as "id", ${own} as "p" from ${table} where ${scope} and ${item} <> ${param(moving, 'int4')}`
    if (!('id' in position)) {
      const [row] = await this.#tx.run(sql`select min("r"."p") as "least" from (${rows}) as "r"`)
      return [undefined, number(row?.least)]
    }
    const isBefore = position.kind === 'before'
    const other = isBefore
      ? sql`max("r"."p") filter (where "r"."p" < "a"."p")`
      : sql`min("r"."p") filter (where "r"."p" > "a"."p")`
    const [row] = await this.#tx.run(
      sql`select "a"."p" as "at", (select ${other} from (${rows}) as "r") as "beyond" from (${rows}) as "a" where "a"."id" = ${param(position.id, 'int4')}`,
    )
    const [at, beyond] = [number(row?.at), number(row?.beyond)]
    if (row && at === undefined) {
      // A row that is older than the order of the relation.
      this.#renumber()
      return this.#neighbours(position, moving)
    }
    return isBefore ? [beyond, at] : [at, beyond]
  }

  async #first(): Promise<number> {
    const [row] = await this.#tx.run(sql`select ${nextPosition} as "position"`)
    return Number(row?.position)
  }

  /** Renumbers the entries of the list with whole numbers, in order. */
  #renumber(): void {
    const { table, item, scope, position } = this.#rows
    if (position === undefined) return
    const inOrder = sql`select ${item} as "id" from ${table} where ${scope} order by ${position}, ${item}`
    this.#tx.send(
      sql`update ${table} set ${position} = "n"."position" from (${numbered(inOrder)}) as "n" where ${scope} and ${item} = "n"."id"`,
    )
  }
}

const number = (value: string | null | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

/** A relation of one row. */
interface RelationOf {
  readonly model: Model
  /** The id of the row, as an expression. */
  readonly id: Sql
  readonly attribute: RelationAttribute
}

type StorageOf<Kind> = Extract<RelationStorage, { kind: Kind }>

/** The related entries of a row. */
export function listOf(
  relation: RelationOf,
  storage: StorageOf<'foreign' | 'join' | 'link'>,
  registry: Registry,
  tx: BatchedTransaction,
): RelatedList {
  switch (storage.kind) {
    case 'foreign':
      return new RelatedList(inTarget(relation, storage, registry), tx)
    case 'join':
      return new RelatedList(inJoinTable(relation, storage), tx)
    case 'link':
      return new RelatedList(inLinkTable(relation, storage), tx)
  }
}

function inTarget(
  { id: owner, attribute }: RelationOf,
  storage: StorageOf<'foreign'>,
  registry: Registry,
): ListRows {
  const table = sql.id(registry.contentType(attribute.target).table)
  const key = sql.id(storage.column)
  const position = storage.position === undefined ? undefined : sql.id(storage.position)
  const scope = sql`${table}.${key} = ${owner}`
  return {
    table,
    owner,
    item: sql`${table}."id"`,
    position,
    scope,
    isOwn: false,
    drop: (condition) =>
      sql`update ${table} set ${key} = null${position ? sql`, ${position} = null` : sql``} where ${scope} and ${condition}`,
    // A child has one parent: connecting it here removes it from the former parent.
    add: (source) =>
      sql`update ${table} set ${key} = ${owner}${position ? sql`, ${position} = "s"."position"` : sql``} from (${source}) as "s" where ${table}."id" = "s"."id"`,
  }
}

function inJoinTable({ id: owner, attribute }: RelationOf, storage: StorageOf<'join'>): ListRows {
  const table = sql.id(storage.table)
  const own = sql.id(storage.own)
  const target = sql.id(storage.target)
  const position = sql.id(storage.position)
  const scope = sql`${own} = ${owner}`
  const [inverse, atEnd] =
    storage.inversePosition === undefined
      ? [sql``, sql``]
      : [sql`, ${sql.id(storage.inversePosition)}`, sql`, ${nextPosition}`]
  const insert = (source: Sql): Sql =>
    sql`insert into ${table} (${own}, ${target}, ${position}${inverse}) select ${owner}, "s"."id", "s"."position"${atEnd} from (${source}) as "s" on conflict (${own}, ${target}) do update set ${position} = excluded.${position}`
  return {
    table,
    owner,
    item: target,
    position,
    scope,
    isOwn: !attribute.exclusive,
    drop: (condition) => sql`delete from ${table} where ${scope} and ${condition}`,
    add: attribute.exclusive
      ? (source) =>
          sql`with "taken" as (delete from ${table} where ${own} <> ${owner} and ${target} in (select "x"."id" from (${source}) as "x")) ${insert(source)}`
      : insert,
  }
}

function inLinkTable({ model, id, attribute }: RelationOf, storage: StorageOf<'link'>): ListRows {
  const table = sql.id(storage.table)
  const target = sql.id(storage.target)
  const { type, id: owner, field, position: place } = ownerColumns
  const position = sql.id(place)
  const scope = ownedBy(model, sql`= ${id}`, attribute)
  const taken = attribute.exclusive
    ? sql`"taken" as (delete from ${table} where not (${scope}) and ${target} in (select "id" from "s")), `
    : sql``
  return {
    table,
    owner: id,
    item: target,
    position,
    scope,
    // Its statement begins with a query of its own.
    isOwn: false,
    drop: (condition) => sql`delete from ${table} where ${scope} and ${condition}`,
    // Rows of a link table have ids, so moved rows are updated and new ones inserted.
    add: (source) =>
      sql`with "s" as (${source}), ${taken}"moved" as (update ${table} set ${position} = "s"."position" from "s" where ${scope} and ${target} = "s"."id" returning ${target} as "id") insert into ${table} (${target}, ${sql.join([owner, type, field, place].map(sql.id))}) select "s"."id", ${id}, ${sql.lit(model.uid)}, ${sql.lit(attribute.name)}, "s"."position" from "s" where "s"."id" not in (select "id" from "moved")`,
  }
}
