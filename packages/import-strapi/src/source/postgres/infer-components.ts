import type { Client } from 'pg'
import type { Data, Schema, SchemaAttribute, StoreItem } from '../../records.ts'
import type { Catalog } from './catalog.ts'
import { columnOf, componentsTableOf, linksTableOf, quoted, tableOf } from './names.ts'

const storeKey = 'plugin_content_manager_configuration_components::'

/** Schemas of components, which a Strapi database does not store. */
export interface InferredComponents {
  readonly schemas: readonly Schema[]
  /** The attributes and rules that could not be inferred. */
  readonly notes: readonly string[]
}

/**
 * Makes the schemas of components from the settings of their edit forms, which have the names of the attributes, and from
 * their tables, which have the types. No table has the rules of an attribute (`required`, `enum`, `maxLength`, `default`,
 * `private`, …), and an attribute without a column can only be inferred from a row that uses it.
 */
export async function inferComponents(
  client: Client,
  catalog: Catalog,
  settings: readonly StoreItem[],
  contentTypes: readonly Schema[],
): Promise<InferredComponents> {
  const tables = new Map(contentTypes.map((schema) => [tableOf(schema), schema.uid]))
  const notes: string[] = []
  const schemas: Schema[] = []
  for (const { key, value } of settings) {
    if (!key.startsWith(storeKey)) continue
    const uid = key.slice(storeKey.length)
    const names = attributeNames(value)
    const table = findTable(uid, names, catalog)
    if (table === undefined) {
      notes.push(`the table of the component ${uid} was not found; it is left out`)
      continue
    }
    const schema: Schema = { uid, modelType: 'component', collectionName: table, attributes: {} }
    const attributes: Record<string, SchemaAttribute> = {}
    for (const name of names) {
      const found = await inferAttribute({ client, catalog, tables }, schema, name)
      if (found) attributes[name] = found
      else notes.push(`${uid}.${name} is left out: no row has it, and the database has no definition of it`)
    }
    schemas.push({ ...schema, info: { displayName: uid.split('.').at(-1) }, attributes })
  }
  if (schemas.length > 0)
    notes.push(
      `the rules of ${schemas.length} components (required, enum, maxLength, default, private, ...) are not in a database: no value is checked by them, and private attributes become public`,
    )
  return { schemas, notes }
}

function attributeNames(value: unknown): readonly string[] {
  const metadatas = (value as Data | null)?.metadatas
  return typeof metadatas === 'object' && metadatas !== null
    ? Object.keys(metadatas).filter((name) => name !== 'id')
    : []
}

/** The table whose name begins like the component, and whose columns are attributes of it. */
function findTable(uid: string, names: readonly string[], catalog: Catalog): string | undefined {
  const [category = '', name = ''] = uid.split('.').map((part) => columnOf(part))
  const columns = new Set(['id', ...names.map(columnOf)])
  const prefix = `components_${category}_`
  const fits = (table: string): boolean =>
    [...catalog.columns(table).keys()].every((column) => columns.has(column))
  const candidates = catalog.tables().filter((table) => table.startsWith(prefix) && fits(table))
  // The plural is mostly the name and a few letters; words with another plural are identified by their columns only.
  const named = candidates.filter((table) => table.startsWith(`${prefix}${name}`))
  return named.sort((a, b) => a.length - b.length)[0] ?? (candidates.length === 1 ? candidates[0] : undefined)
}

/** A component with the name of its table, which its definition may leave out. */
export function withTable(component: Schema, catalog: Catalog): Schema {
  if (component.collectionName !== undefined) return component
  const table = findTable(component.uid, Object.keys(component.attributes), catalog)
  return table === undefined ? component : { ...component, collectionName: table }
}

interface Inference {
  readonly client: Client
  readonly catalog: Catalog
  /** Uids of content-types by their tables. */
  readonly tables: ReadonlyMap<string, string>
}

async function inferAttribute(
  inference: Inference,
  schema: Schema,
  name: string,
): Promise<SchemaAttribute | undefined> {
  const stored = inference.catalog.columns(tableOf(schema)).get(columnOf(name))
  if (stored !== undefined) {
    // As a string it would be part of answers.
    const isPassword = stored === 'character varying' && (await hasHashesOnly(inference.client, schema, name))
    return { type: isPassword ? 'password' : (typeOfColumn[stored] ?? 'string') }
  }
  return (
    (await inferRelation(inference, schema, name)) ??
    (await inferComponent(inference, schema, name)) ??
    (await inferMedia(inference, schema, name))
  )
}

/** Whether a column has values, and all of them are hashes of bcrypt. */
async function hasHashesOnly(client: Client, schema: Schema, name: string): Promise<boolean> {
  const column = quoted(columnOf(name))
  const { rows } = await client.query<{ is: boolean | null }>(
    `select bool_and(${column} ~ '^\\$2[aby]\\$[0-9]{2}\\$[./A-Za-z0-9]{53}$') as is from ${quoted(tableOf(schema))} where ${column} is not null`,
  )
  return rows[0]?.is === true
}

async function inferRelation(
  { client, catalog, tables }: Inference,
  schema: Schema,
  name: string,
): Promise<SchemaAttribute | undefined> {
  const table = linksTableOf(schema, name)
  if (!catalog.has(table)) return undefined
  const { rows } = await client.query<{ target: string }>(
    `select distinct c.relname as target from pg_constraint k join pg_class c on c.oid = k.confrelid
     where k.contype = 'f' and k.conrelid = $1::regclass and c.relname <> $2`,
    [quoted(table), tableOf(schema)],
  )
  const target = tables.get(rows[0]?.target ?? '')
  if (target === undefined) return undefined
  const ordered = [...catalog.columns(table).keys()].some((column) => column.endsWith('_order'))
  return { type: 'relation', relation: ordered ? 'oneToMany' : 'oneToOne', target }
}

async function inferComponent(
  { client, catalog }: Inference,
  schema: Schema,
  name: string,
): Promise<SchemaAttribute | undefined> {
  const table = componentsTableOf(schema)
  if (!catalog.has(table)) return undefined
  const { rows } = await client.query<{ component: string; most: number }>(
    `select component_type as component, max(n)::int as most from
       (select component_type, count(*) as n from ${quoted(table)} where field = $1 group by component_type, entity_id) as c
     group by component_type order by count(*) desc`,
    [name],
  )
  const [first] = rows
  if (!first) return undefined
  return { type: 'component', component: first.component, repeatable: first.most > 1 }
}

async function inferMedia(
  { client, catalog }: Inference,
  schema: Schema,
  name: string,
): Promise<SchemaAttribute | undefined> {
  if (!catalog.has('files_related_morphs')) return undefined
  const { rows } = await client.query<{ most: number | null }>(
    `select max(n)::int as most from
       (select count(*) as n from files_related_morphs where related_type = $1 and field = $2 group by related_id) as f`,
    [schema.uid, name],
  )
  const most = rows[0]?.most
  return most === null || most === undefined ? undefined : { type: 'media', multiple: most > 1 }
}

const typeOfColumn: Readonly<Record<string, string>> = {
  'character varying': 'string',
  text: 'text',
  jsonb: 'json',
  json: 'json',
  integer: 'integer',
  bigint: 'biginteger',
  'double precision': 'float',
  numeric: 'decimal',
  boolean: 'boolean',
  date: 'date',
  'time without time zone': 'time',
  'timestamp without time zone': 'datetime',
  'timestamp with time zone': 'datetime',
}
