import { column, param, type Sql, sql, table } from '@octavo/database'
import { ownedBy } from '../../compile/from.ts'
import {
  type ContentType,
  type MorphAttribute,
  ownerColumns,
  type Registry,
  type RelationAttribute,
} from '../../content-type/model.ts'
import { recordColumns, recordset } from '../compile/recordset.ts'
import {
  allRows,
  connectedBy,
  type RelationChange,
  type RelationWrite,
  type RowWrite,
  takenItems,
} from '../input/write-plan.ts'

/** The other entries whose key or link changes with an attribute. */
export interface FarSide {
  /** The type that stores the key or the link: a key belongs to its row, a link to the side without `mappedBy`. */
  readonly type: ContentType
  /** The attribute of that type; `undefined` for own links, where a replaced list may hide some. */
  readonly attribute: RelationAttribute | MorphAttribute | undefined
  /** The relation of the write that leads to the type. */
  readonly via: RelationAttribute | undefined
  /** Entries in the input, some of which may change. */
  readonly named: readonly number[]
  /**
   * A query `(item, own)` of the entries that change: `own` is the row whose list the write replaces without the entry, null where it
   * changes in another way. `undefined`: none does.
   */
  readonly changes: Sql | undefined
  /** The type of the written entries, and the writes of {@link via}. */
  readonly from: ContentType
  readonly writes: readonly RelatedWrite[]
}

interface RelatedWrite {
  readonly row: RowWrite
  readonly relation: RelationWrite
}

/** The far sides of rows: one for each attribute by which they may change other entries. */
export function* farSidesOf(rows: readonly RowWrite[], registry: Registry): Generator<FarSide> {
  for (const [model, roots] of Map.groupBy(rows, (row) => row.model)) {
    const from = model as ContentType // the root of a write is an entry
    const related = roots
      .flatMap(allRows)
      .flatMap((row) => row.relations.map((relation): RelatedWrite => ({ row, relation })))
    for (const [attribute, writes] of Map.groupBy(related, ({ relation }) => relation.attribute)) {
      const far = ofRelation(attribute, writes, registry)
      if (far) yield { ...far, via: attribute, from, writes }
    }
    const ofMorph = { type: from, named: [], via: undefined, from, writes: [] }
    for (const attribute of new Set(roots.flatMap(({ morphs }) => morphs.map((morph) => morph.attribute))))
      yield { ...ofMorph, attribute, changes: formerOf(attribute, roots) }
  }
}

type Changes = Pick<FarSide, 'type' | 'attribute' | 'named' | 'changes'>

/** The changes to other entries by all writes of a relation; `undefined` when only the written entries change. */
function ofRelation(
  attribute: RelationAttribute,
  writes: readonly RelatedWrite[],
  registry: Registry,
): Changes | undefined {
  const { storage } = attribute
  const target = registry.contentType(attribute.target)
  const { model } = (writes[0] as RelatedWrite).row // an attribute is of one model, and there is a write
  const list = listOf(writes)
  const inverse = target.attributes.get(attribute.inverse ?? '')
  const there = inverse?.kind === 'relation' ? inverse : undefined
  const named = list.connected.map(([, item]) => item)
  const ofTarget = (changed: FarSide['attribute'], rows: Sql): Changes | undefined =>
    changed && { type: target, attribute: changed, named, changes: listed(rows, list) }
  switch (storage.kind) {
    case 'own': {
      // A one-to-one child is removed from its former owner, whose row stores the key.
      if (!attribute.exclusive || model.kind === 'component') return undefined
      const changes = holders(sql.id(storage.column), sql.id(model.table), list)
      return { type: model, attribute, named: [], changes }
    }
    case 'foreign':
      return ofTarget(
        there,
        sql`select ${sql.id(storage.column)} as "own", "id" as "item" from ${sql.id(target.table)}`,
      )
    case 'join': {
      const links = sql`select ${sql.id(storage.own)} as "own", ${sql.id(storage.target)} as "item" from ${sql.id(storage.table)}`
      if (!storage.owner) return ofTarget(there, links)
      if (list.replaced.length === 0) return undefined
      return { type: target, attribute: undefined, named: [], changes: listed(links, list) }
    }
    case 'link': {
      // A file has no inverse attribute: the link belongs to the entry.
      const morph = [...target.morphs.values()].find((one) => one.table === storage.table)
      const owned = ownedBy(model, attribute.name, sql`is not null`)
      return ofTarget(
        morph,
        sql`select ${sql.id(ownerColumns.id)} as "own", ${sql.id(storage.target)} as "item" from ${sql.id(storage.table)} where ${owned}`,
      )
    }
    case 'siblings':
      return undefined
  }
}

const linkColumns = recordColumns({ type: 'text', id: 'int4', field: 'text', own: 'int4' })

/** The entries that a polymorphic relation of rows is taken from: a to-one attribute replaces its former entry. */
function formerOf(attribute: MorphAttribute, rows: readonly RowWrite[]): Sql | undefined {
  const connected = rows.flatMap(({ id: own = 0, morphs }) =>
    morphs
      .filter((morph) => morph.attribute === attribute)
      .flatMap(takenItems)
      .map(({ type, id, field }) => [type, id, field, own]),
  )
  if (connected.length === 0) return undefined
  const { type, id, field } = ownerColumns
  const target = column('l', attribute.column)
  return sql`select distinct ${target} as "item", null as "own" from ${table(attribute.table, 'l')} join ${recordset('g', linkColumns, connected)} on "g"."type" = ${column('l', type)} and "g"."id" = ${column('l', id)} and "g"."field" = ${column('l', field)} where ${target} <> "g"."own"`
}

/** Writes of lists as pairs of a row (0: a new one) and an entry. */
interface ListWrites {
  readonly connected: readonly (readonly [own: number, item: number])[]
  readonly disconnected: readonly (readonly [own: number, item: number])[]
  /** Rows whose list is replaced. */
  readonly replaced: readonly number[]
}

function listOf(writes: readonly RelatedWrite[]): ListWrites {
  const pairs = (ids: (change: RelationChange) => readonly number[]): (readonly [number, number])[] =>
    writes.flatMap(({ row, relation }) => ids(relation.change).map((id) => [row.id ?? 0, id] as const))
  return {
    connected: pairs(connectedBy),
    disconnected: pairs((change) => (change.kind === 'set' ? [] : change.disconnect)),
    replaced: writes.flatMap(({ row, relation: { attribute, change } }) => {
      const isReplaced = change.kind === 'set' || (!attribute.many && change.connect.length > 0)
      return isReplaced ? (row.id ?? []) : []
    }),
  }
}

/** Entries that are added to lists or removed from them. `rows` selects `own` and `item`. */
const listed = (rows: Sql, { connected, disconnected, replaced }: ListWrites): Sql | undefined =>
  connected.length + disconnected.length + replaced.length === 0
    ? undefined
    : sql`with "c" as (select * from ${recordset('c', pairColumns, connected)}), "l" as not materialized (${rows})
        select "c"."item", null::int4 as "own" from "c" where not exists (select 1 from "l" where "l"."own" = "c"."own" and "l"."item" = "c"."item")
        union select "l"."item", "l"."own" from "l" join unnest(${param(replaced, 'int4[]')}) as "r" ("own") on "r"."own" = "l"."own"
          where not exists (select 1 from "c" where "c"."own" = "l"."own" and "c"."item" = "l"."item")
        union select "l"."item", null from "l" join ${recordset('d', pairColumns, disconnected)} on "d"."own" = "l"."own" and "d"."item" = "l"."item"`

/** Entries whose key refers to an item that moves to another row. */
const holders = (key: Sql, table: Sql, { connected }: ListWrites): Sql | undefined =>
  connected.length === 0
    ? undefined
    : sql`select distinct "h"."id" as "item", null as "own" from ${table} as "h" join ${recordset('c', pairColumns, connected)} on "h".${key} = "c"."item" where "h"."id" <> "c"."own"`

const pairColumns = recordColumns({ own: 'int4', item: 'int4' })
