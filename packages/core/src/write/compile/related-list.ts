import { type BatchedTransaction, param, type Sql, sql } from '@octavo/database'
import { ownedBy } from '../../compile/from.ts'
import { nextPosition, numbered } from '../../compile/next-position.ts'
import type { Placement } from '../../connection-order.ts'
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

  /** Places entries at the start, beside others, or behind all others, also where that one is not in the list. */
  place(placed: readonly Placement<ListPosition>[]): void {
    const { table, owner, item, scope, position, add } = this.#rows
    if (position === undefined) {
      this.append(placed.map(({ id }) => id))
      return
    }
    const list = sql`select ${item} as "id", ${position} as "p" from ${table} where ${scope}`
    const places = placesIn(list, placed, owner)
    // Two places have at least two numbers of double precision between them, or the list gets whole numbers: after about fifty insertions at one place, and
    // where a row is older than the order of the relation.
    const isFull = sql`exists (select from (${list}) as "l" where "l"."p" is null) or exists (select from (${places}) as "o" where "o"."low" + "o"."step" / 4 = "o"."low" or "o"."high" - "o"."step" / 4 = "o"."high")`
    const inOrder = sql`select ${item} as "id" from ${table} where ${scope} and (${isFull}) order by ${position}, ${item}`
    this.#tx.send(add(numbered(inOrder)))
    const number = sql`coalesce("o"."low" + "o"."step" * "o"."n", "o"."high" - ("o"."size" - "o"."n"), ${nextPosition})`
    this.#tx.send(
      add(
        sql`with "placed" as materialized (select "o"."id", ${number} as "position" from (${places} order by "n") as "o") select "id", "position" from "placed"`,
      ),
    )
  }
}

/** The order of entries between two neighbours. */
const ranks = { start: 0, after: 1, before: 2, end: 3 }

/**
 * The entries `(id, n)` between the positions `low` and `high` of the list `(id, p)`, which are null where no entry is there; `n` of `size - 1` between
 * both, with `step` from each to the next. Entries that move leave their place last, so that others are placed beside it.
 */
function placesIn(list: Sql, placed: readonly Placement<ListPosition>[], owner: Sql): Sql {
  const beside = placed.map(({ at }) => ('id' in at ? at.id : 0))
  const columns = [
    ids(placed.map(({ id }) => id)),
    param(beside, 'int8[]'),
    ids(placed.map(({ at }) => ranks[at.kind])),
    ids(placed.map(({ turn }) => turn)),
  ]
  const given = sql`select * from unnest(${sql.join(columns)}) with ordinality as "g" ("id", "beside", "rank", "turn", "i") where ${owner} is not null`
  // Two rows may have one position, when they are older than the order.
  const neighbour = (direction: Sql): Sql =>
    sql`max("l"."p") over (order by "l"."p" groups between 1 ${direction} and 1 ${direction})`
  const positions = sql`select "l".*, ${neighbour(sql`preceding`)} as "before", ${neighbour(sql`following`)} as "after" from (${list}) as "l"`
  // A full join reads the list once. A left join may read it for each row, since PostgreSQL expects lists to be short.
  const found = sql`select "g"."id", "g"."turn", "g"."i", "l"."p", "l"."before", "l"."after", case when "g"."rank" in (1, 2) and "l"."p" is null then 3 else "g"."rank" end as "rank" from (${given}) as "g" full join "list" as "l" on "l"."id" = "g"."beside" where coalesce("g"."i", 0) > 0`
  const between = sql`select "f".*, case "f"."rank" when 1 then "f"."p" when 2 then "f"."before" when 3 then (select max("p") from "list") end as "low", case "f"."rank" when 0 then (select min("p") from "list") when 1 then "f"."after" when 2 then "f"."p" end as "high" from (${found}) as "f"`
  const inOrder = sql`"b"."rank", case when "b"."rank" < 2 then - "b"."turn" else "b"."turn" end, "b"."i"`
  const counted = sql`select "b"."id", "b"."low", "b"."high", row_number() over (partition by "b"."low", "b"."high" order by ${inOrder}) as "n", count(*) over (partition by "b"."low", "b"."high") + 1 as "size" from (${between}) as "b"`
  return sql`with "list" as materialized (${positions}) select "c".*, ("c"."high" - "c"."low") / "c"."size" as "step" from (${counted}) as "c"`
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
