import type { Client } from 'pg'
import type { Data, EntityRecord, Schema } from '../../records.ts'
import type { Catalog } from './catalog.ts'
import { columnOf, componentsTableOf, quoted, tableOf } from './names.ts'

/** Entries that are read at a time. */
const batch = 500

export interface DatabaseModel {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly catalog: Catalog
  /** The zone of times in columns without one, as PostgreSQL names it. */
  readonly timeZone: string
}

/** Reads the entries of a type, with their components, in the form of an archive. */
export class EntityReader {
  readonly #client: Client
  readonly #model: DatabaseModel

  constructor(client: Client, model: DatabaseModel) {
    this.#client = client
    this.#model = model
  }

  async *read(schema: Schema): AsyncGenerator<readonly EntityRecord[]> {
    if (!this.#model.catalog.has(tableOf(schema))) return
    // A cursor of SQL, so that the components of a batch can be read between two.
    const cursor = quoted(`octavo ${schema.uid}`)
    const { json, valuesOf } = this.#row(schema)
    await this.#client.query(
      `declare ${cursor} no scroll cursor for select id, ${json} as data from ${quoted(tableOf(schema))} as t order by id`,
    )
    try {
      for (;;) {
        const found = await this.#client.query<Row>(`fetch ${batch} from ${cursor}`)
        if (found.rows.length === 0) return
        const rows = found.rows.map(({ id, data }) => ({ id, data: valuesOf(data) }))
        await this.#complete(schema, rows)
        yield rows.map(({ id, data }) => ({ type: schema.uid, id, data }))
      }
    } finally {
      // It fails after another error only, whose place it must not take.
      await this.#client.query(`close ${cursor}`).catch(() => {})
    }
  }

  /** The values of a row as JSON, with numbers as keys: PostgreSQL keeps 63 bytes of a name, and attributes may have longer ones. */
  #row(schema: Schema): { readonly json: string; readonly valuesOf: (row: Data) => Row['data'] } {
    const columns = this.#model.catalog.columns(tableOf(schema))
    const values = Object.entries(schema.attributes).flatMap(([name, { type }]) => {
      const column = columnOf(name)
      const stored = columns.get(column)
      if (stored === undefined || notColumns.has(type)) return []
      return [[name, this.#value(`t.${quoted(column)}`, stored, type)] as const]
    })
    const numbered = values.map(([, value], i) => `${value} as "${i}"`)
    return {
      json:
        values.length === 0
          ? `'{}'::json`
          : `(select row_to_json(o) from (select ${numbered.join(', ')}) as o)`,
      valuesOf: (row) => Object.fromEntries(values.map(([name], i) => [name, row[i]])),
    }
  }

  #value(column: string, stored: string, type: string): string {
    const zone = `'${this.#model.timeZone.replaceAll("'", "''")}'`
    if (stored.startsWith('timestamp')) {
      const instant = stored.includes('without') ? `(${column} at time zone ${zone})` : column
      const text =
        type === 'timestamp'
          ? `floor(extract(epoch from ${instant}) * 1000)::bigint::text`
          : `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      // Infinite times have no such text, and those before the year 1 would lose their era. As they are printed, they are reported.
      return `case when isfinite(${column}) and ${column} >= '0001-01-01' then ${text} else ${column}::text end`
    }
    if (type === 'biginteger') return `${column}::text`
    return stored === 'time without time zone' || stored === 'date' ? `${column}::text` : column
  }

  /** Brings rows into the form of an archive. */
  async #complete(schema: Schema, rows: readonly Row[]): Promise<void> {
    for (const [name, { type }] of Object.entries(schema.attributes))
      if (type === 'json' || type === 'blocks')
        for (const { data } of rows) data[name] = jsonAsAnswered(data[name])
    await this.#addComponents(schema, rows)
  }

  /** Puts components into their owners, at any depth: one statement for each component of a level. */
  async #addComponents(schema: Schema, owners: readonly Row[]): Promise<void> {
    const names = Object.entries(schema.attributes).filter(
      ([, { type }]) => type === 'component' || type === 'dynamiczone',
    )
    const table = componentsTableOf(schema)
    if (names.length === 0 || owners.length === 0) return
    for (const { data } of owners)
      for (const [name, { type, repeatable }] of names)
        data[name] = type === 'dynamiczone' || repeatable === true ? [] : null
    if (!this.#model.catalog.has(table)) return
    const { rows: pivots } = await this.#client.query<Pivot>(
      `select entity_id, component_id, component_type, field from ${quoted(table)} where entity_id = any($1) order by entity_id, field, "order" nulls last, id`,
      [owners.map(({ id }) => id)],
    )
    const items = await this.#components(pivots)
    const byId = new Map(owners.map(({ id, data }) => [id, data]))
    const seen = new Set<string>()
    for (const { entity_id, component_id, component_type, field } of pivots) {
      // Before version 4.5 nothing kept a row from being there twice.
      const key = JSON.stringify([entity_id, field, component_type, component_id])
      if (seen.has(key)) continue
      seen.add(key)
      const data = byId.get(entity_id)
      const attribute = schema.attributes[field]
      const item = items.get(`${component_type} ${component_id}`)
      if (!data || !attribute || !item) continue
      const list = data[field]
      if (attribute.type === 'dynamiczone' && Array.isArray(list))
        list.push({ __component: component_type, ...item })
      else if (attribute.component !== component_type) continue
      else if (Array.isArray(list)) list.push(item)
      else if (list === null) data[field] = item
    }
  }

  /** The rows that pivots point to, by uid and id. Missing components have none. */
  async #components(pivots: readonly Pivot[]): Promise<ReadonlyMap<string, Data>> {
    const items = new Map<string, Data>()
    const ids = new Map<string, Set<number>>()
    for (const { component_type, component_id } of pivots)
      ids.set(component_type, (ids.get(component_type) ?? new Set()).add(component_id))
    for (const [uid, pointed] of ids) {
      const schema = this.#model.schemas.get(uid)
      if (!schema || !this.#model.catalog.has(tableOf(schema))) continue
      const { json, valuesOf } = this.#row(schema)
      const found = await this.#client.query<Row>(
        `select id, ${json} as data from ${quoted(tableOf(schema))} as t where id = any($1)`,
        [[...pointed]],
      )
      const rows = found.rows.map(({ id, data }) => ({ id, data: valuesOf(data) }))
      await this.#complete(schema, rows)
      for (const { id, data } of rows) items.set(`${uid} ${id}`, { id, ...data })
    }
    return items
  }
}

interface Row {
  readonly id: number
  readonly data: Record<string, unknown>
}

interface Pivot {
  readonly entity_id: number
  readonly component_id: number
  readonly component_type: string
  readonly field: string
}

/** Types of attributes whose values are in other tables. */
const notColumns: ReadonlySet<string> = new Set(['relation', 'media', 'component', 'dynamiczone'])

/** A value of a JSON column as Strapi answers it, and has it in an archive: text that is JSON is parsed, up to twice. */
function jsonAsAnswered(value: unknown): unknown {
  try {
    const once: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof once === 'string' ? JSON.parse(once) : once
  } catch {
    return value
  }
}
