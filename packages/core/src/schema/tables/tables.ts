/**
 * The tables of a registry, as plain data: the input of `entities.ts`, of the schema fingerprint, and of import and
 * export. Pure: the same registry gives the same list.
 */
import { createHash } from 'node:crypto'
import { type OwnTable, ownColumnType, ownIndexOf, sql, toStatement } from '@octavo/database'
import {
  type Model,
  ownerColumns,
  type Registry,
  type RelationAttribute,
  type ScalarAttribute,
} from '../../content-type/model.ts'
import { fullTextOf, wordsOf } from '../../content-type/search/full-text.ts'
import { searchedAttributes } from '../../content-type/search/searched.ts'
import { type TotalPart, totalParts } from './total-parts.ts'
import { totalsTable } from './totals-table.ts'
import { uniqueKeys } from './unique-keys.ts'

export interface Column {
  readonly name: string
  /** PostgreSQL type, e.g. `numeric(20,2)`. */
  readonly type: string
  /**
   * Every content column is nullable, required or not: a draft may lack a required value, and a row written after a
   * plugin was removed does not set the plugin's columns, which remain.
   */
  readonly nullable: boolean
  /** The table whose `id` the column contains, and the action when that row is deleted. */
  readonly references?: { readonly table: string; readonly onDelete: 'cascade' | 'set null' }
}

export interface Index {
  /** The subject in its name. Default: the columns. */
  readonly name?: string
  readonly columns: readonly string[]
  readonly unique: boolean
}

export interface Table {
  readonly name: string
  /** The name in messages: `api::book.book`, or `api::book.book.authors` for a join table. */
  readonly label: string
  /** `['id']`, an identity column that also accepts given values, or the two keys of a join table. */
  readonly primaryKey: readonly string[]
  /** Without `id`. */
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  /** The columns with a trigram index; absent: there is no such index. */
  readonly search?: readonly string[]
  /** The expression of its generated column with the words of a full-text search; absent: there is no such column. */
  readonly words?: string
  /** The columns by which the stored total of its rows is divided; absent: no total is stored. */
  readonly totals?: readonly { readonly column: string; readonly by: 'value' | 'presence' }[]
}

/** PostgreSQL type of ids and of foreign keys. */
export const idType = 'integer'

const position = { type: 'double precision', nullable: true } as const

/** The tables of all models, then the join tables, the link tables and those of plugins; each name once. */
export function tablesOf(registry: Registry, own: readonly OwnTable[] = []): readonly Table[] {
  const models: readonly Model[] = [...registry.contentTypes.values(), ...registry.components.values()]
  const joins = models.flatMap((model) =>
    relationsOf(model).flatMap((relation) => joinTable(model, relation, registry)),
  )
  const links = new Map(
    models.flatMap((model) => [
      ...relationsOf(model).flatMap(({ target, storage }) =>
        storage.kind === 'link' ? [linksTo(registry.contentType(target), storage.table, storage.target)] : [],
      ),
      ...[...model.morphs.values()].map(({ table, column }) => linksTo(model, table, column)),
    ]),
  )
  return [
    ...models.map((model) => modelTable(model, registry)),
    ...joins,
    ...links.values(),
    ...own.map((table) => pluginTable(table, registry)),
    ...(models.some(totalParts) ? [totalsTable] : []),
  ]
}

/** A hash of the tables and renames: 64 hexadecimal digits. */
export function fingerprintOf(tables: readonly Table[], renames: readonly unknown[] = []): string {
  const all = renames.length === 0 ? tables : [tables, renames]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

export const relationsOf = (model: Model): readonly RelationAttribute[] =>
  [...model.attributes.values()].filter((attribute) => attribute.kind === 'relation')

function modelTable(model: Model, registry: Registry): Table {
  const columns: Column[] = model.kind === 'component' ? [...ownerKey] : []
  const indexes: Index[] = model.kind === 'component' ? [ownerIndex] : []

  for (const attribute of model.attributes.values()) {
    if (attribute.kind === 'scalar') {
      columns.push({
        name: attribute.column,
        type: attribute.type.column(attribute.definition),
        nullable: true,
      })
    } else if (attribute.kind === 'relation') {
      const stored = inRow(attribute, registry)
      columns.push(...stored)
      if (stored.length > 0) indexes.push({ columns: stored.map(({ name }) => name), unique: false })
    }
  }
  const uniques = uniqueKeys(model).map(
    ({ attribute, within }): Index => ({
      columns: [attribute, ...within].map(({ column }) => column),
      unique: true,
    }),
  )
  const declared = model.indexes.map(
    ({ attributes, unique }): Index => ({
      columns: attributes.map((attribute) => columnOf(attribute)),
      unique,
    }),
  )
  const parts = totalParts(model)
  const searched = searchedAttributes(model)
  const fullText = fullTextOf(model)
  return {
    name: model.table,
    label: model.uid,
    primaryKey: ['id'],
    columns,
    indexes: distinct([...indexes, ...uniques, ...declared, ...(parts ?? []).flatMap(indexOfTimes)]),
    ...(searched && { search: searched.map(({ column }) => column) }),
    ...(fullText && { words: toStatement(wordsOf(fullText, sql.id)).text }),
    ...(parts && { totals: parts.map(({ attribute, by }) => ({ column: attribute.column, by })) }),
  }
}

/** The columns of a relation in the table of its model, which has an index over them in this order. */
function inRow({ storage, target }: RelationAttribute, registry: Registry): readonly Column[] {
  switch (storage.kind) {
    case 'own': {
      const references = { table: registry.contentType(target).table, onDelete: 'set null' } as const
      const key = { name: storage.column, type: idType, nullable: true, references }
      // The position is in the index: the other side reads by the key in that order.
      return storage.position === undefined ? [key] : [key, { name: storage.position, ...position }]
    }
    case 'siblings':
      // The id of the group's first entry. Not a foreign key: the group outlives that entry.
      return [{ name: storage.column, type: idType, nullable: true }]
    case 'foreign':
    case 'join':
    case 'link':
      return []
  }
}

/** The rows with a time to come are subtracted from a stored total, and an index finds them without reading the table. */
const indexOfTimes = ({ attribute, by }: TotalPart): readonly Index[] =>
  by === 'presence' && attribute.type.parameter === 'timestamptz'
    ? [{ columns: [attribute.column], unique: false }]
    : []

function pluginTable({ table, definition }: OwnTable, registry: Registry): Table {
  const columns = Object.entries(definition.columns)
  return {
    name: table,
    label: `the table ${table} of a plugin`,
    primaryKey: [definition.primaryKey ?? 'id'],
    columns: columns.map(([name, column]) => ({
      name,
      type: ownColumnType(column),
      nullable: column.nullable === true,
      ...(column.references !== undefined && {
        references: { table: registry.contentType(column.references).table, onDelete: 'cascade' },
      }),
    })),
    indexes: columns
      .filter(([, { unique, index, references }]) => unique || index || references !== undefined)
      .map(([name, column]) => ({ columns: ownIndexOf(name, column), unique: column.unique ?? false })),
  }
}

function columnOf(attribute: ScalarAttribute | RelationAttribute): string {
  if (attribute.kind === 'scalar') return attribute.column
  if (attribute.storage.kind === 'own') return attribute.storage.column
  throw new Error(`"${attribute.name}" has no column in the table of its model`)
}

/** Different declarations may need the same index. */
const distinct = (indexes: readonly Index[]): readonly Index[] => [
  ...new Map(indexes.map((index) => [JSON.stringify([index.columns, index.unique]), index])).values(),
]

/** The reference of a row to its owner. Not a foreign key: the owner may be in one of many tables. */
const ownerKey: readonly Column[] = [
  { name: ownerColumns.type, type: 'text', nullable: false },
  { name: ownerColumns.id, type: idType, nullable: false },
  { name: ownerColumns.field, type: 'text', nullable: false },
  { name: ownerColumns.position, ...position },
]

/** Serves `where owner_type = ? and owner_id = ? and field = ? order by position`; the most selective column leads. */
const ownerIndex: Index = {
  name: 'owner',
  columns: [ownerColumns.id, ownerColumns.type, ownerColumns.field, ownerColumns.position],
  unique: false,
}

function joinTable(
  model: Model,
  { name, target, storage }: RelationAttribute,
  registry: Registry,
): readonly Table[] {
  if (storage.kind !== 'join' || !storage.owner) return []
  const key = (column: string, table: string): Column => ({
    name: column,
    type: idType,
    nullable: false,
    references: { table, onDelete: 'cascade' },
  })
  const positions = [storage.position, storage.inversePosition].filter((column) => column !== undefined)
  return [
    {
      name: storage.table,
      label: `${model.uid}.${name}`,
      primaryKey: [storage.own, storage.target],
      columns: [
        key(storage.own, model.table),
        key(storage.target, registry.contentType(target).table),
        // Nullable: existing rows have no position when a relation becomes two-way.
        ...positions.map((column) => ({ name: column, ...position })),
      ],
      // Includes the position: the other side's list is read in that order, often one page of it.
      indexes: [
        { columns: [storage.target, storage.inversePosition].filter((c) => c !== undefined), unique: false },
      ],
    },
  ]
}

/** A link table serves many owners; `column` contains the target's id. */
function linksTo(target: Model, name: string, column: string): readonly [string, Table] {
  const references = { table: target.table, onDelete: 'cascade' } as const
  const table: Table = {
    name,
    label: `the links to ${target.uid}`,
    primaryKey: ['id'],
    columns: [{ name: column, type: idType, nullable: false, references }, ...ownerKey],
    indexes: [{ columns: [column], unique: false }, ownerIndex],
  }
  return [name, table]
}
