import type { Transaction } from '@octavo/database'
import { column, param, type Sql, sql, table } from '@octavo/database'
import {
  type ContentType,
  type Model,
  type MorphAttribute,
  ownerColumns,
  type Registry,
  type RelationAttribute,
} from '../../content-type/model.ts'
import { type RecordColumn, recordset } from '../compile/recordset.ts'
import type { RelationChange, RelationWrite, RowWrite } from '../input/write-plan.ts'

/** A key or a link of an entry that the write of another entry changes. */
export interface FarChange {
  readonly id: number
  /** The row (0: a new one) whose list the write replaces without this entry. */
  readonly leftOutBy: number | undefined
}

/** The other entries whose key or link changes with an attribute, and the SQL to find them. */
export interface FarSide {
  /** The type that stores the key or the link: a key belongs to its row, a link to the side without `mappedBy`. */
  readonly type: ContentType
  /** The attribute of that type. */
  readonly attribute: RelationAttribute | MorphAttribute
  /** The relation of the write that leads to the type. */
  readonly via: RelationAttribute | undefined
  /** Entries in the input, some of which may change. */
  readonly named: readonly number[]
  readonly changes: (tx: Transaction) => Promise<readonly FarChange[]>
}

/** The storage of a relation, with all writes of it, so that one statement covers them. */
export interface RelationWrites {
  readonly model: Model
  readonly attribute: RelationAttribute
  readonly writes: readonly { readonly row: RowWrite; readonly relation: RelationWrite }[]
}

/** The changes to other entries by writes of a relation; `undefined` when only the written entries change. */
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
      // A one-to-one child is removed from its former owner, whose row stores the key.
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
      // A file has no inverse attribute: the link belongs to the entry.
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

const linkColumns: readonly RecordColumn[] = [
  { name: 'type', type: 'text' },
  { name: 'id', type: 'int4' },
  { name: 'field', type: 'text' },
  { name: 'own', type: 'int4' },
]

/** The changes to other entries of the type by a polymorphic relation: a to-one attribute replaces its former entry. */
export function farSideOfMorphs(
  type: ContentType,
  attribute: MorphAttribute,
  rows: readonly RowWrite[],
): FarSide {
  const connectedItems = rows.flatMap((row) =>
    row.morphs
      .filter((morph) => morph.attribute === attribute)
      .flatMap(({ change }) => (change.kind === 'set' ? change.items : change.connect))
      .filter((item) =>
        attribute.sides.get(item.type)?.some(({ name, many }) => name === item.field && !many),
      )
      .map((item) => ({ ...item, own: row.id ?? 0 })),
  )
  const { type: ownerType, id, field } = ownerColumns
  const links = recordset(
    'g',
    linkColumns,
    connectedItems.map((item) => [item.type, item.id, item.field, item.own]),
  )
  const target = column('l', attribute.column)
  return {
    type,
    attribute,
    via: undefined,
    named: [],
    changes: async (tx) => {
      if (connectedItems.length === 0) return []
      const found = await tx.run(
        sql`select distinct ${target} as "id" from ${table(attribute.table, 'l')} join ${links} on "g"."type" = ${column('l', ownerType)} and "g"."id" = ${column('l', id)} and "g"."field" = ${column('l', field)} where ${target} <> "g"."own"`,
      )
      return found.map((one) => ({ id: Number(one.id), leftOutBy: undefined }))
    },
  }
}

/** Writes of lists as pairs of a row (0: a new one) and an entry. */
interface ListWrites {
  readonly connected: readonly (readonly [own: number, item: number])[]
  readonly disconnected: readonly (readonly [own: number, item: number])[]
  /** Rows whose list is replaced. */
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
      .map(({ row }) => row.id as number), // safe: the filter excludes new rows
  }
}

/** Entries that are added to lists or removed from them. `rows` selects `own` and `item`. */
const listed =
  (rows: Sql, { connected, disconnected, replaced }: ListWrites) =>
  async (tx: Transaction): Promise<readonly FarChange[]> => {
    if (connected.length + disconnected.length + replaced.length === 0) return []
    const found = await tx.run(
      sql`with "c" as (select * from ${recordset('c', pairColumns, connected)}), "l" as not materialized (${rows})
        select "c"."item", null::int4 as "own" from "c" where not exists (select 1 from "l" where "l"."own" = "c"."own" and "l"."item" = "c"."item")
        union select "l"."item", "l"."own" from "l" join unnest(${param(replaced, 'int4[]')}) as "r" ("own") on "r"."own" = "l"."own"
          where not exists (select 1 from "c" where "c"."own" = "l"."own" and "c"."item" = "l"."item")
        union select "l"."item", null from "l" join ${recordset('d', pairColumns, disconnected)} on "d"."own" = "l"."own" and "d"."item" = "l"."item"`,
    )
    return found.map(({ item, own }) => ({
      id: Number(item),
      leftOutBy: own == null ? undefined : Number(own),
    }))
  }

/** Entries whose key refers to an item that moves to another row. `rows` selects `item` and `id`. */
const holders =
  (rows: Sql, { connected }: ListWrites) =>
  async (tx: Transaction): Promise<readonly FarChange[]> => {
    if (connected.length === 0) return []
    const found = await tx.run(
      sql`select distinct "h"."id" from (${rows}) as "h" join ${recordset('c', pairColumns, connected)} on "h"."item" = "c"."item" where "h"."id" <> "c"."own"`,
    )
    return found.map(({ id }) => ({ id: Number(id), leftOutBy: undefined }))
  }

const pairColumns: readonly RecordColumn[] = [
  { name: 'own', type: 'int4' },
  { name: 'item', type: 'int4' },
]
