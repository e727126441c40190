import type { Row, Transaction } from '@octavo/database'
import { column, join, type Sql, sql, table, toStatement } from '@octavo/database'
import type { Bindable } from '../content-type/attribute-type.ts'
import {
  type ComponentAttribute,
  type ContentType,
  componentsOf,
  type Model,
  ownerColumns,
  type Registry,
  type RelationAttribute,
  type ScalarAttribute,
  type ZoneAttribute,
} from '../content-type/model.ts'
import type { DataEntry } from './data-file.ts'

/** Entries per batch in memory. */
const batch = 500

interface Read {
  readonly id: number
  readonly values: Record<string, unknown>
}

/** The row's JSON, without the columns of its owner. */
interface ComponentRead extends Read {
  readonly owner: number
  readonly position: number | null
}

/** The entries of a content-type in data file format, ordered by id, in batches. */
export async function* readEntries(
  tx: Transaction,
  registry: Registry,
  type: ContentType,
): AsyncGenerator<readonly DataEntry[]> {
  let after = 0
  for (;;) {
    const entries = await readBatch(tx, registry, type, after)
    const last = entries.at(-1)
    if (!last) return
    yield entries.map(({ values }) => values)
    after = last.id
  }
}

async function readBatch(
  tx: Transaction,
  registry: Registry,
  type: Model,
  after: number,
): Promise<readonly Read[]> {
  const id = column('t', type.id.column)
  const { json, valuesOf } = rowOf(type)
  const rows = await run(
    tx,
    sql`select ${id}, ${json} from ${table(type.table, 't')} where ${id} > ${after} order by ${id} limit ${batch}`,
  )
  const entries = rows.map(([id, json]) => ({ id: Number(id), values: valuesOf(json) }))
  await readParts(tx, registry, type, entries)
  return entries
}

/** The values of a row. */
interface RowReader {
  /** The JSON of the row `t`, with numbers as keys: PostgreSQL keeps 63 bytes of a name, and attributes may have longer ones. */
  readonly json: Sql
  /** `{"id": 1, …}`: scalars, and the targets of its own foreign keys. */
  readonly valuesOf: (json: unknown) => Record<string, unknown>
}

function rowOf(model: Model): RowReader {
  const fields: [string, Sql][] = [['id', column('t', model.id.column)]]
  for (const attribute of model.attributes.values()) {
    if (attribute.kind === 'scalar') fields.push([attribute.name, exported(attribute)])
    else if (attribute.kind === 'relation' && attribute.storage.kind === 'own')
      fields.push([attribute.name, column('t', attribute.storage.column)])
  }
  const named = fields.map(([, value], i) => sql`${value} as ${sql.id(String(i))}`)
  return {
    // Not json_build_array, which is limited to 100 values.
    json: sql`(select row_to_json(o) from (select ${join(named, ', ')}) as o)`,
    valuesOf: (json) => {
      const row = JSON.parse(String(json))
      return Object.fromEntries(fields.map(([name], i) => [name, row[i]]))
    },
  }
}

/** The value as in answers, a hash as it is stored. */
function exported({ column: name, type }: ScalarAttribute): Sql {
  const stored = column('t', name)
  if (type.secret) return stored
  const value = type.toJson(stored)
  // JavaScript, which reads the row, has 15 digits of a number for certain: two of them are behind the point. An import reads text as well.
  return type.parameter === 'numeric'
    ? sql`case when abs(${stored}) < 1e13 then to_json(${value}) else to_json((${value})::text) end`
    : value
}

/** Adds the values from other tables to the rows: one statement per attribute, for any number of rows. */
async function readParts(
  tx: Transaction,
  registry: Registry,
  model: Model,
  rows: readonly Read[],
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  for (const morph of model.morphs.values()) {
    // Relations with an inverse attribute are exported there.
    const found = await run(
      tx,
      sql`select ${sql.id(morph.column)}, ${sql.id(ownerColumns.type)}, ${sql.id(ownerColumns.id)} from ${sql.id(morph.table)} where ${sql.id(morph.column)} = any(${ids}::int4[]) and ${sql.id(ownerColumns.field)} = '' order by "id"`,
    )
    for (const { id, values } of rows) {
      const items = found
        .filter(([target]) => Number(target) === id)
        .map(([, type, related]) => ({ id: Number(related), type }))
      if (items.length > 0) values[morph.name] = morph.many ? items : items[0]
    }
  }
  for (const attribute of model.attributes.values()) {
    if (attribute.kind === 'relation') {
      if (attribute.storage.kind === 'own') continue
      const targets = group(await run(tx, relationRows(registry, model, attribute, ids)))
      for (const { id, values } of rows) {
        const found = targets.get(id) ?? []
        const empty = attribute.empty === 'list' ? [] : null
        values[attribute.name] = attribute.many ? (found.length > 0 ? found : empty) : (found[0] ?? null)
      }
    } else if (attribute.kind === 'component' || attribute.kind === 'zone') {
      const items = await readComponents(tx, registry, model, attribute, ids)
      const list = attribute.kind === 'zone' || attribute.repeatable
      for (const { id, values } of rows) {
        const found = (items.get(id) ?? []).map((item) => item.values)
        values[attribute.name] = list ? found : (found[0] ?? null)
      }
    }
  }
}

/** Rows of owner and target, in the owner's order. */
function relationRows(
  registry: Registry,
  model: Model,
  relation: RelationAttribute,
  ids: readonly number[],
): Sql {
  const { storage } = relation
  const among = (key: Sql): Sql => sql`${key} = any(${ids}::int[])`
  const target = registry.contentType(relation.target)
  switch (storage.kind) {
    case 'own':
      throw new Error('An own foreign key is read with its row.')
    case 'foreign': {
      const key = column('t', storage.column)
      const order = [key, ...(storage.position ? [column('t', storage.position)] : []), sql`t.id`]
      return sql`select ${key}, t.id from ${table(target.table, 't')} where ${among(key)} order by ${join(order, ', ')}`
    }
    case 'join': {
      const [own, other, position] = [storage.own, storage.target, storage.position].map((name) =>
        column('t', name),
      ) as [Sql, Sql, Sql]
      return sql`select ${own}, ${other} from ${table(storage.table, 't')} where ${among(own)} order by ${join([own, position, other], ', ')}`
    }
    case 'link': {
      const owner = column('t', ownerColumns.id)
      return sql`select ${owner}, ${column('t', storage.target)} from ${table(storage.table, 't')}
        where ${column('t', ownerColumns.type)} = ${model.uid} and ${column('t', ownerColumns.field)} = ${relation.name} and ${among(owner)}
        order by ${owner}, ${column('t', ownerColumns.position)}, t.id`
    }
    case 'siblings': {
      const key = storage.column
      return sql`select t.id, s.id from ${table(model.table, 't')} join ${table(model.table, 's')}
        on ${column('s', key)} = ${column('t', key)} and s.id <> t.id where ${among(sql`t.id`)} order by t.id, s.id`
    }
  }
}

/** Parts by owner, in order. */
async function readComponents(
  tx: Transaction,
  registry: Registry,
  model: Model,
  attribute: ComponentAttribute | ZoneAttribute,
  ids: readonly number[],
): Promise<Map<number, readonly ComponentRead[]>> {
  const byOwner = new Map<number, ComponentRead[]>()
  for (const uid of componentsOf(attribute)) {
    const component = registry.component(uid)
    const { json, valuesOf } = rowOf(component)
    const [type, owner, field, position] = [
      ownerColumns.type,
      ownerColumns.id,
      ownerColumns.field,
      ownerColumns.position,
    ].map((name) => column('t', name)) as [Sql, Sql, Sql, Sql]
    const rows = await run(
      tx,
      sql`select t.id, ${owner}, ${position}, ${json} from ${table(component.table, 't')}
        where ${type} = ${model.uid} and ${field} = ${attribute.name} and ${owner} = any(${ids}::int[])`,
    )
    const reads = rows.map(([id, owner, position, json]) => ({
      id: Number(id),
      owner: Number(owner),
      position: position === null ? null : Number(position),
      values: { ...(attribute.kind === 'zone' && { __component: uid }), ...valuesOf(json) },
    }))
    await readParts(tx, registry, component, reads)
    for (const read of reads) {
      const list = byOwner.get(read.owner)
      if (list) list.push(read)
      else byOwner.set(read.owner, [read])
    }
  }
  // As SQL orders them: without a position last, then by id.
  for (const list of byOwner.values())
    list.sort((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || a.id - b.id)
  return byOwner
}

function group(rows: readonly Row[]): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (const [owner, target] of rows) {
    const list = groups.get(Number(owner))
    if (list) list.push(Number(target))
    else groups.set(Number(owner), [Number(target)])
  }
  return groups
}

async function run(tx: Transaction, statement: Sql): Promise<readonly Row[]> {
  const { text, values } = toStatement(statement)
  return tx.query(text, values as readonly Bindable[]) // none of ours waits for a request
}
