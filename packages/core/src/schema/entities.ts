import { DeferMode, EntitySchema } from '@mikro-orm/core'
import { constraintName, indexNames } from './tables/object-names.ts'
import type { Column, Table } from './tables/tables.ts'

/**
 * MikroORM's entities for the tables: one per content-type, component, join table and link table, named as the table.
 * The properties are the columns; a foreign key is a many-to-one property with the column's name.
 */
export function entitiesOf(tables: readonly Table[]): readonly EntitySchema[] {
  const schemas = new Map<string, EntitySchema>()
  /** Looked up lazily, because relations can be circular. */
  const entity = (name: string): EntitySchema => {
    const schema = schemas.get(name)
    if (!schema) throw new Error(`There is no table "${name}".`)
    return schema
  }
  const names = indexNames(tables)
  for (const table of tables) schemas.set(table.name, entitySchema(table, entity, names))
  return [...schemas.values()]
}

type Names = ReturnType<typeof indexNames>

function entitySchema(table: Table, entity: (name: string) => EntitySchema, names: Names): EntitySchema {
  const own = table.primaryKey.length === 1 && table.primaryKey[0] === 'id'
  // The property types of EntitySchema come from a class; ours exist at runtime only.
  const properties: Record<string, object> = own
    ? // `by default`, because an import sets ids.
      { id: { type: 'integer', primary: true, autoincrement: true, generated: 'by default as identity' } }
    : {}
  for (const column of table.columns) {
    properties[column.name] = property(table, column, table.primaryKey.includes(column.name), entity)
  }
  return new EntitySchema({
    name: table.name,
    tableName: table.name,
    properties: properties as never,
    indexes: indexes(table, false, names),
    uniques: indexes(table, true, names),
  })
}

const indexes = (table: Table, unique: boolean, names: Names) =>
  table.indexes
    .filter((index) => index.unique === unique)
    .map((index) => ({ properties: [...index.columns] as never, name: names(table.name, index) }))

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
    // Its index is declared with the table's other indexes; some include a position.
    index: false,
    deleteRule: references.onDelete,
    updateRule: 'no action',
    // Deferrable, because an import writes rows before their targets; otherwise checked immediately.
    deferMode: DeferMode.INITIALLY_IMMEDIATE,
    foreignKeyName: constraintName(table.name, name, 'foreign'),
  }
}
