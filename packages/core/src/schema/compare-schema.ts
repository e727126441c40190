import { DatabaseSchema, MikroORM, SchemaComparator, type SchemaDifference } from '@mikro-orm/postgresql'
import type { Transaction } from '@octavo/database'
import { sql } from '@octavo/database'
import { entitiesOf } from './entities.ts'
import { ownSchema } from './own-relation.ts'
import type { Table } from './tables/tables.ts'

export interface SchemaComparison {
  readonly difference: SchemaDifference
  readonly toSql: (difference: SchemaDifference) => string
  /** The names of the tables that exist in the database. */
  readonly existing: readonly string[]
}

/**
 * Compares the tables with those of the database. MikroORM reads the catalogue, computes the differences and writes their
 * SQL; it never connects, and the instance is discarded afterwards.
 */
export async function compareSchema(tx: Transaction, tables: readonly Table[]): Promise<SchemaComparison> {
  const schema = await ownSchema(tx)
  const orm = new MikroORM({
    schema,
    entities: [...entitiesOf(tables)],
    dbName: 'unused',
    discovery: { warnWhenNoEntities: false },
  })
  const platform = orm.driver.getPlatform()
  // The tables are in the first schema of the search path, and their names in SQL have none. MikroORM would look for them in "public".
  platform.getDefaultSchemaName = () => schema
  const helper = platform.getSchemaHelper()
  const allTables = helper?.getAllTables.bind(helper)
  // It reads the tables of all schemas, and takes one of the same name in another schema for ours.
  if (helper && allTables)
    helper.getAllTables = async (...parameters) =>
      (await allTables(...parameters)).filter((table) => table.schema_name === schema)
  // MikroORM reads the catalogue through our transaction. Rows are converted from JSON, which has the booleans and lists
  // that it expects; values of our rows are texts.
  const catalogue = orm.driver.getConnection()
  catalogue.execute = async (statement, values = []) => {
    const text = platform
      .formatQuery(String(statement), values as unknown[])
      .trim()
      .replace(/;$/, '')
    const rows = await tx.run(sql`select row_to_json(r)::text as "row" from (${sql.raw(text)}) r`)
    return rows.map(({ row }) => JSON.parse(row ?? 'null')) as never
  }
  const target = orm.schema.getTargetSchema()
  const names = tables.map((table) => table.name)
  const found = await DatabaseSchema.create(
    catalogue,
    platform,
    orm.config,
    schema,
    [schema],
    // Only these tables are read, so no other table can be part of the difference.
    names,
  )
  const difference = new SchemaComparator(platform).compare(found, target)
  return {
    difference,
    toSql: (difference) => orm.schema.diffToSQL(difference, { safe: false, dropTables: false, wrap: false }),
    existing: names.filter((name) => found.hasTable(name)),
  }
}
