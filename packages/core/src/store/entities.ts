import { DeferMode, EntitySchema } from '@mikro-orm/core'
import { type Column, constraintName, indexName, type Table } from './tables.ts'

/**
 * MikroORM's entities for the tables: one per content-type, component, join table and link table, named as the table.
 * The properties are the columns; a foreign key is a many-to-one property named as its column.
 */
export function entitiesOf(tables: readonly Table[]): readonly EntitySchema[] {
  const schemas = new Map<string, EntitySchema>()
  /** By name when it is asked for, not before: relations may go round in circles. */
  const entity = (name: string): EntitySchema => {
    const schema = schemas.get(name)
    if (!schema) throw new Error(`No table "${name}" to refer to.`)
    return schema
  }
  for (const table of tables) schemas.set(table.name, entitySchema(table, entity))
  return [...schemas.values()]
}

function entitySchema(table: Table, entity: (name: string) => EntitySchema): EntitySchema {
  const own = table.primaryKey.length === 1 && table.primaryKey[0] === 'id'
  // The property types of EntitySchema come from a class; ours exist at run time only.
  const properties: Record<string, object> = own
    ? // By default: an import brings its own ids.
      { id: { type: 'integer', primary: true, autoincrement: true, generated: 'by default as identity' } }
    : {}
  for (const column of table.columns) {
    properties[column.name] = property(table, column, table.primaryKey.includes(column.name), entity)
  }
  return new EntitySchema({
    name: table.name,
    tableName: table.name,
    properties: properties as never,
    indexes: indexes(table, false),
    uniques: indexes(table, true),
  })
}

const indexes = (table: Table, unique: boolean) =>
  table.indexes
    .filter((index) => index.unique === unique)
    .map((index) => ({ properties: [...index.columns] as never, name: indexName(table.name, index) }))

function property(
  table: Table,
  column: Column,
  primary: boolean,
  entity: (name: string) => EntitySchema,
): object {
  const { name, type, nullable, references } = column
  if (!references) return { type: 'unknown', columnType: type, fieldName: name, nullable, primary }
  return {
    kind: 'm:1',
    entity: () => entity(references.table),
    fieldName: name,
    nullable,
    primary,
    // Declared with the table's other indexes, some with a position behind the key.
    index: false,
    deleteRule: references.onDelete,
    updateRule: 'no action',
    // Deferrable, for an import writes rows before those that they refer to; checked at once otherwise.
    deferMode: DeferMode.INITIALLY_IMMEDIATE,
    foreignKeyName: constraintName(table.name, name, 'foreign'),
  }
}
