import {
  type ContentType,
  type Model,
  type MorphAttribute,
  ownerColumns,
  type Registry,
  type RelationAttribute,
} from '../content-type/model.ts'
import { column, join, param, type Sql, sql, table } from '../sql/sql.ts'
import type { Transaction } from '../store/store.ts'
import type { RelationChange, RelationWrite, RowWrite } from './write-plan.ts'

/** A key or a link of an entry that a write of another one changes. */
export interface FarChange {
  readonly id: number
  /** The write leaves the entry out of a list that it sets anew, of that row (0: a new one). */
  readonly leftOutBy: number | undefined
}

/** The other entries whose key or link changes with an attribute, and how to find out which they are. */
export interface FarSide {
  /** The type that holds the key or the link: a key belongs to its row, a link to the side without `mappedBy`. */
  readonly type: ContentType
  /** The attribute there. */
  readonly attribute: RelationAttribute | MorphAttribute
  /** The relation by which the write leads there. */
  readonly via: RelationAttribute | undefined
  /** Entries that the write names, of which some may change. */
  readonly named: readonly number[]
  readonly changes: (tx: Transaction) => Promise<readonly FarChange[]>
}

/** Where the relation stands, with all writes of it: a statement serves them all. */
export interface RelationWrites {
  readonly model: Model
  readonly attribute: RelationAttribute
  readonly writes: readonly { readonly row: RowWrite; readonly relation: RelationWrite }[]
}

/** What writes of a relation do to other entries; `undefined` when they change nothing but their own. */
export function farSideOf(
  { model, attribute, writes }: RelationWrites,
  registry: Registry,
): FarSide | undefined {
  const { storage } = attribute
  const target = registry.contentType(attribute.target)
  const list = listOf(writes)
  const named = list.connected.map(([, item]) => item)
  switch (storage.kind) {
    case 'own': {
      // A one-to-one child is taken from its former owner, whose row holds the key.
      if (!attribute.exclusive || model.kind === 'component') return undefined
      const rows = sql`select ${sql.id(storage.column)} as "item", "id" from ${sql.id(model.table)}`
      return { type: model, attribute, via: attribute, named: [], changes: holders(rows, list) }
    }
    case 'foreign': {
      const there = target.attributes.get(attribute.inverse ?? '')
      if (there?.kind !== 'relation') return undefined
      const rows = sql`select ${sql.id(storage.column)} as "own", "id" as "item" from ${sql.id(target.table)}`
      return { type: target, attribute: there, via: attribute, named, changes: listed(rows, list) }
    }
    case 'join': {
      const there = target.attributes.get(attribute.inverse ?? '')
      if (storage.owner || there?.kind !== 'relation') return undefined
      const rows = sql`select ${sql.id(storage.own)} as "own", ${sql.id(storage.target)} as "item" from ${sql.id(storage.table)}`
      return { type: target, attribute: there, via: attribute, named, changes: listed(rows, list) }
    }
    case 'link': {
      // A file has no attribute that leads back: the link is the entry's own.
      const there = [...target.morphs.values()].find(({ table }) => table === storage.table)
      if (!there) return undefined
      const { type, id, field } = ownerColumns
      const rows = sql`select ${sql.id(id)} as "own", ${sql.id(storage.target)} as "item" from ${sql.id(storage.table)} where ${sql.id(type)} = ${model.uid} and ${sql.id(field)} = ${attribute.name}`
      return { type: target, attribute: there, via: attribute, named, changes: listed(rows, list) }
    }
    case 'siblings':
      return undefined
  }
}

/** What a polymorphic relation does to other entries of its own type: an attribute that takes one loses what it had. */
export function farSideOfMorphs(
  type: ContentType,
  attribute: MorphAttribute,
  rows: readonly RowWrite[],
): FarSide {
  const taken = rows.flatMap((row) =>
    row.morphs
      .filter((morph) => morph.attribute === attribute)
      .flatMap(({ change }) => (change.kind === 'set' ? change.items : change.connect))
      .filter((item) =>
        attribute.sides.get(item.type)?.some(({ name, many }) => name === item.field && !many),
      )
      .map((item) => ({ ...item, own: row.id ?? 0 })),
  )
  const { type: ownerType, id, field } = ownerColumns
  const links = join(
    [
      param(
        taken.map((item) => item.type),
        'text[]',
      ),
      param(
        taken.map((item) => item.id),
        'int4[]',
      ),
      param(
        taken.map((item) => item.field),
        'text[]',
      ),
      param(
        taken.map((item) => item.own),
        'int4[]',
      ),
    ],
    ', ',
  )
  const target = column('l', attribute.column)
  return {
    type,
    attribute,
    via: undefined,
    named: [],
    changes: async (tx) => {
      if (taken.length === 0) return []
      const found = await tx.run(
        sql`select distinct ${target} as "id" from ${table(attribute.table, 'l')} join unnest(${links}) as "g" ("type", "id", "field", "own") on "g"."type" = ${column('l', ownerType)} and "g"."id" = ${column('l', id)} and "g"."field" = ${column('l', field)} where ${target} <> "g"."own"`,
      )
      return found.map((one) => ({ id: Number(one.id), leftOutBy: undefined }))
    },
  }
}

/** Writes of lists as pairs of a row (0: a new one) and an entry. */
interface ListWrites {
  readonly connected: readonly (readonly [own: number, item: number])[]
  readonly disconnected: readonly (readonly [own: number, item: number])[]
  /** Rows whose list holds nothing else from now on. */
  readonly replaced: readonly number[]
}

function listOf(writes: RelationWrites['writes']): ListWrites {
  const pairs = (ids: (change: RelationChange) => readonly number[]): (readonly [number, number])[] =>
    writes.flatMap(({ row, relation }) => ids(relation.change).map((id) => [row.id ?? 0, id] as const))
  return {
    connected: pairs((change) => (change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id))),
    disconnected: pairs((change) => (change.kind === 'set' ? [] : change.disconnect)),
    replaced: writes
      .filter(
        ({ row, relation: { attribute, change } }) =>
          row.id !== undefined && (change.kind === 'set' || (!attribute.many && change.connect.length > 0)),
      )
      .map(({ row }) => row.id as number), // of new rows nothing is left out, as the filter says
  }
}

/** Entries that come into lists or go out of them. `rows` selects `own` and `item`. */
const listed =
  (rows: Sql, { connected, disconnected, replaced }: ListWrites) =>
  async (tx: Transaction): Promise<readonly FarChange[]> => {
    if (connected.length + disconnected.length + replaced.length === 0) return []
    const found = await tx.run(
      sql`with "c" as (select * from ${pairRows(connected)} as "c" ("own", "item")), "l" as not materialized (${rows})
        select "c"."item", null::int4 as "own" from "c" where not exists (select 1 from "l" where "l"."own" = "c"."own" and "l"."item" = "c"."item")
        union select "l"."item", "l"."own" from "l" join unnest(${param(replaced, 'int4[]')}) as "r" ("own") on "r"."own" = "l"."own"
          where not exists (select 1 from "c" where "c"."own" = "l"."own" and "c"."item" = "l"."item")
        union select "l"."item", null from "l" join ${pairRows(disconnected)} as "d" ("own", "item") on "d"."own" = "l"."own" and "d"."item" = "l"."item"`,
    )
    return found.map(({ item, own }) => ({
      id: Number(item),
      leftOutBy: own == null ? undefined : Number(own),
    }))
  }

/** Entries whose key leads to an item that another row takes. `rows` selects `item` and `id`. */
const holders =
  (rows: Sql, { connected }: ListWrites) =>
  async (tx: Transaction): Promise<readonly FarChange[]> => {
    if (connected.length === 0) return []
    const found = await tx.run(
      sql`select distinct "h"."id" from (${rows}) as "h" join ${pairRows(connected)} as "c" ("own", "item") on "h"."item" = "c"."item" where "h"."id" <> "c"."own"`,
    )
    return found.map(({ id }) => ({ id: Number(id), leftOutBy: undefined }))
  }

const pairRows = (pairs: readonly (readonly [number, number])[]): Sql =>
  sql`unnest(${param(
    pairs.map(([own]) => own),
    'int4[]',
  )}, ${param(
    pairs.map(([, item]) => item),
    'int4[]',
  )})`
