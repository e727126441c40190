import { DatabaseSchema, MikroORM, SchemaComparator, type SchemaDifference } from '@mikro-orm/postgresql'
import type { Transaction } from '@octavo/database'
import { sql } from '@octavo/database'
import { entitiesOf } from './entities.ts'
import type { Table } from './tables.ts'

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
  const orm = new MikroORM({
    entities: [...entitiesOf(tables)],
    dbName: 'unused',
    discovery: { warnWhenNoEntities: false },
  })
  const platform = orm.driver.getPlatform()
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
    undefined,
    target.getNamespaces(),
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
