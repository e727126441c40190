import { type BatchedTransaction, param, type Sql, sql } from '@octavo/database'
import { ownedBy } from '../../compile/from.ts'
import { nextPosition, numbered } from '../../compile/next-position.ts'
import {
  type Model,
  ownerColumns,
  type Registry,
  type RelationAttribute,
  type RelationStorage,
} from '../../content-type/model.ts'
import type { ListPosition } from '../input/write-plan.ts'

const ids = (values: readonly number[]): Sql => param(values, 'int4[]')

/** Rows `(id, position)` behind all others, in the order of the ids; none when the write is refused, which has no owner. */
function appended(added: readonly number[], owner: Sql): Sql {
  const inOrder = sql`select "i"."id" from unnest(${ids(added)}) with ordinality as "i" ("id", "n") where ${owner} is not null order by "i"."n"`
  return numbered(inOrder)
}

/** The parts into which entries divide the room between their neighbours. */
const size = (run: readonly number[]): Sql => param(run.length + 1, 'float8')

type Place = Exclude<ListPosition, { kind: 'end' }>

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

  /** Two views of the list: one writes if the stored list has all of these entries, the other one if it lacks some. Without entries there is one view. */
  either(needed: readonly number[]): { readonly whenStored?: RelatedList; readonly otherwise: RelatedList } {
    if (needed.length === 0) return { otherwise: this }
    const { table, owner, item, scope } = this.#rows
    const missing = sql`exists (select from unnest(${ids(needed)}) as "i" ("id") where "i"."id" not in (select ${item} from ${table} where ${scope}))`
    this.#tx.send(sql`select set_config('octavo.misses', (${missing})::text, true)`)
    const ifSo = (misses: string): Sql =>
      sql`case current_setting('octavo.misses') when ${sql.lit(misses)} then ${owner} end`
    const where = (misses: string) => new RelatedList({ ...this.#rows, owner: ifSo(misses) }, this.#tx)
    return { whenStored: where('false'), otherwise: where('true') }
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

  /** Puts entries at the start, or beside another one; behind all others where that one is not in the list. */
  put(run: readonly number[], at: Place): void {
    const { add, owner } = this.#rows
    if (at.kind !== 'start') this.#makeRoom(run, at)
    const [part, rest] = [sql`("i"."n" / ${size(run)})`, sql`(${size(run)} - "i"."n")`]
    const between = sql`"n"."p" + ("n"."beyond" - "n"."p") * ${part}`
    const before = sql`coalesce("n"."beyond" + ("n"."p" - "n"."beyond") * ${part}, "n"."p" - ${rest})`
    const place = sql`coalesce(${at.kind === 'after' ? between : before}, ${nextPosition})`
    const inOrder = sql`select * from unnest(${ids(run)}) with ordinality as "r" ("id", "n") where ${owner} is not null order by "r"."n"`
    const placed = sql`select "i"."id", ${place} as "position" from (${inOrder}) as "i" left join (${this.#neighbour(run, at)}) as "n" on true`
    this.#tx.send(add(sql`with "placed" as materialized (${placed}) select "id", "position" from "placed"`))
  }

  /** The entries `(id, p)` of the list without those that move. */
  #others(run: readonly number[]): Sql {
    const { table, item, scope, position } = this.#rows
    return sql`select ${item} as "id", ${position ?? sql`null::float8`} as "p" from ${table} where ${scope} and ${item} not in (select unnest(${ids(run)}))`
  }

  /** The neighbour of a place, the first entry at the start, with the position of the entry at its other side: `(p, beyond)`. */
  #neighbour(run: readonly number[], at: Place): Sql {
    const others = this.#others(run)
    if (at.kind === 'start')
      return sql`select min("o"."p") as "p", null::float8 as "beyond" from (${others}) as "o"`
    const beyond =
      at.kind === 'before'
        ? sql`max("o"."p") filter (where "o"."p" < "a"."p")`
        : sql`min("o"."p") filter (where "o"."p" > "a"."p")`
    return sql`select "a"."p", (select ${beyond} from (${others}) as "o") as "beyond" from (${others}) as "a" where "a"."id" = ${param(at.id, 'int8')}`
  }

  /**
   * Renumbers the entries of the list with whole numbers, in order, where too few numbers are left beside the neighbour, after about fifty
   * insertions at one place, and where the neighbour has none: a row that is older than the order of the relation.
   */
  #makeRoom(run: readonly number[], at: Place): void {
    const { table, item, scope, position } = this.#rows
    if (position === undefined) return
    // Two places have at least two numbers of double precision between them.
    const step = sql`("n"."beyond" - "n"."p") / ${size(run)} / 4`
    const isFull = sql`exists (select 1 from (${this.#neighbour(run, at)}) as "n" where "n"."p" is null or "n"."p" + ${step} = "n"."p" or "n"."beyond" - ${step} = "n"."beyond")`
    const inOrder = sql`select ${item} as "id" from ${table} where ${scope} and ${isFull} order by ${position}, ${item}`
    this.#tx.send(
      sql`update ${table} set ${position} = "n"."position" from (${numbered(inOrder)}) as "n" where ${scope} and ${item} = "n"."id"`,
    )
  }
}

/** A relation of one row. */
interface RelationOf {
  readonly model: Model
  /** The id of the row, as an expression. */
  readonly id: Sql
  readonly attribute: RelationAttribute
}

type StorageOf<Kind> = Extract<RelationStorage, { kind: Kind }>

/** The rows of a list, in the table that has them. */
export function listRows(
  relation: RelationOf,
  storage: StorageOf<'foreign' | 'join' | 'link'>,
  registry: Registry,
): ListRows {
  switch (storage.kind) {
    case 'foreign':
      return inTarget(relation, storage, registry)
    case 'join':
      return inJoinTable(relation, storage)
    case 'link':
      return inLinkTable(relation, storage)
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
  const scope = ownedBy(model, attribute.name, sql`= ${id}`)
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
