import type { Client } from 'pg'
import { whyLeftBehind } from '../../model/uids.ts'
import type { LinkRecord, Schema, SchemaAttribute } from '../../records.ts'
import type { DatabaseModel } from './entities.ts'
import { columnOf, linkColumns, linksTableOf, morphsTableOf, quoted, singularOf, tableOf } from './names.ts'

/** Rows that are read at a time. */
const batch = 2_000

type Row = Readonly<Record<string, unknown>>

/** A query for the links of an attribute, and what each of its rows is as a record. */
interface LinkQuery {
  readonly text: string
  readonly toRecord: (row: Row) => LinkRecord
}

/** The links of a type or a component: one table, or one column, after another. */
export async function* readLinks(
  client: Client,
  model: DatabaseModel,
  schema: Schema,
): AsyncGenerator<readonly LinkRecord[]> {
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const query = queryOf(model, schema, name, attribute)
    if (!query) continue
    const cursor = quoted(`octavo links ${schema.uid} ${name}`)
    await client.query(`declare ${cursor} no scroll cursor for ${query.text}`)
    try {
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${batch} from ${cursor}`)
        if (rows.length === 0) break
        yield rows.map(query.toRecord)
      }
    } finally {
      // It fails after another error only, whose place it must not take.
      await client.query(`close ${cursor}`).catch(() => {})
    }
  }
}

function queryOf(
  { catalog, schemas }: DatabaseModel,
  schema: Schema,
  name: string,
  attribute: SchemaAttribute,
): LinkQuery | undefined {
  const { type, relation, target, mappedBy, inversedBy, useJoinTable } = attribute
  if (type !== 'relation' || mappedBy !== undefined || attribute.morphBy !== undefined) return undefined
  const { uid } = schema
  if (relation === 'morphToMany') return morphToMany(catalog, schema, name)
  if (relation === 'morphToOne') {
    const table = tableOf(schema)
    if (!catalog.has(table, 'target_id')) return undefined
    return {
      text: `select id, target_id, target_type from ${quoted(table)} where target_id is not null and target_type is not null order by id`,
      toRecord: (row) => ({
        left: { type: uid, field: name, ref: Number(row.id) },
        right: { type: String(row.target_type), ref: Number(row.target_id) },
      }),
    }
  }
  const other = typeof target === 'string' ? schemas.get(target) : undefined
  if (!other || whyLeftBehind(other.uid) !== undefined) return undefined
  const inverse = typeof inversedBy === 'string' ? { field: inversedBy } : {}
  const record = (row: Row): LinkRecord => ({
    left: { type: uid, field: name, ref: Number(row.owner), pos: position(row.target_order) },
    right: { type: other.uid, ref: Number(row.target), pos: position(row.owner_order), ...inverse },
  })
  if (useJoinTable === false) {
    const column = columnOf(`${name}_id`)
    if (!catalog.has(tableOf(schema), column)) return undefined
    return {
      text: `select id as owner, ${quoted(column)} as target from ${quoted(tableOf(schema))} where ${quoted(column)} is not null order by id`,
      toRecord: record,
    }
  }
  const table = linksTableOf(schema, name)
  const columns = linkColumns(schema, other, attribute, (column) => catalog.has(table, column))
  if (!catalog.has(table, columns.owner) || !catalog.has(table, columns.target)) return undefined
  const orders = [
    ...(columns.targetOrder ? [`${quoted(columns.targetOrder)} as target_order`] : []),
    ...(columns.ownerOrder ? [`${quoted(columns.ownerOrder)} as owner_order`] : []),
  ]
  const [owner, targetColumn] = [quoted(columns.owner), quoted(columns.target)]
  const selected = [`${owner} as owner`, `${targetColumn} as target`, ...orders].join(', ')
  return {
    // Tables from before version 4.5 have no id.
    text: `select ${selected} from ${quoted(table)} where ${owner} is not null and ${targetColumn} is not null order by ${catalog.has(table, 'id') ? 'id' : 'ctid'}`,
    toRecord: record,
  }
}

function morphToMany(catalog: DatabaseModel['catalog'], schema: Schema, name: string): LinkQuery | undefined {
  const table = morphsTableOf(schema, name)
  const owner = `${columnOf(singularOf(schema))}_id`
  const [id, type] = [`${columnOf(name)}_id`, `${columnOf(name)}_type`]
  if (!catalog.has(table, owner) || !catalog.has(table, id)) return undefined
  return {
    text: `select ${quoted(owner)} as owner, ${quoted(id)} as target, ${quoted(type)} as type, field, "order" as pos from ${quoted(table)}
      where ${quoted(owner)} is not null and ${quoted(id)} is not null and ${quoted(type)} is not null order by ${catalog.has(table, 'id') ? 'id' : 'ctid'}`,
    toRecord: (row) => ({
      left: { type: schema.uid, field: name, ref: Number(row.owner) },
      right: {
        type: String(row.type),
        ref: Number(row.target),
        pos: position(row.pos),
        ...(typeof row.field === 'string' && { field: row.field }),
      },
    }),
  }
}

const position = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)
