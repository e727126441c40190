import { randomBytes } from 'node:crypto'
import { DatabaseSchema, MikroORM, SchemaComparator, type SchemaDifference } from '@mikro-orm/postgresql'
import type { Registry } from '../content-type/model.ts'
import { entitiesOf } from './entities.ts'
import { quote } from './quote.ts'
import { SchemaError, type SchemaRefusal } from './schema-error.ts'
import type { Store, Transaction } from './store.ts'
import { constraintSuffixes, fingerprintOf, type Table, tablesOf } from './tables.ts'

export interface UpdateSchemaOptions {
  /**
   * `changed` (the default) compares with the database only when the content-types differ from those of the last
   * update; `always` compares anyway, for a database that somebody else altered.
   */
  readonly check?: 'changed' | 'always'
  /** Runs nothing: the statements are those that would be run. Default false. */
  readonly dryRun?: boolean
}

export interface SchemaUpdate {
  /** The statements that were run, in order; empty when there was nothing to do. */
  readonly statements: readonly string[]
}

/**
 * Makes the tables of the registry, or grows them: new tables, columns, indexes and keys are added, and those of our
 * own indexes and keys that are declared no more are dropped. What holds data is never touched: tables and columns
 * that no definition names stay as they are, and so does everything that was not made here.
 *
 * One transaction under an advisory lock: all of it or nothing, and of several processes that start at once one does it.
 * It works on a running store as well as at start.
 *
 * @throws SchemaError when a column would have to change its type, a value that should be unique occurs twice, or a
 * table of that name is somebody else's. Each comes with the SQL that an operator may run.
 */
export async function updateSchema(
  store: Store,
  registry: Registry,
  options: UpdateSchemaOptions = {},
): Promise<SchemaUpdate> {
  const tables = tablesOf(registry)
  const fingerprint = fingerprintOf(tables)
  const isCurrent = async (tx: Transaction) =>
    options.check !== 'always' && (await readNote(tx, 'fingerprint')) === fingerprint

  if (await isCurrent(store)) return { statements: [] }
  return store
    .transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [lockKey])
      // Another process may have done it while this one waited.
      if (await isCurrent(tx)) return { statements: [] }
      // An index over a million rows takes its time.
      await tx.query('set local statement_timeout to 0')
      await tx.query(`create table if not exists ${notes} (key text primary key, value text not null)`)
      // Positions of what is appended to a list; they start above those that an import gives, which count from 1.
      await tx.query('create sequence if not exists octavo_position start 4294967296')

      const { difference, toSql, existing } = await compare(tx, tables)
      const refusals = [
        ...(await foreignTables(tx, existing)),
        ...narrow(difference, toSql),
        ...(await duplicates(tx, difference, tables)),
      ]
      if (refusals.length > 0) throw new SchemaError(refusals)

      const statements = splitStatements(toSql(difference))
      if (options.dryRun) throw new Looked(statements)
      for (const sql of statements) await apply(tx, sql)
      for (const { name, label } of tables) await writeNote(tx, `table:${name}`, label)
      await writeNote(tx, 'fingerprint', fingerprint)
      return { statements }
    })
    .catch((error: unknown) => {
      if (error instanceof Looked) return { statements: error.statements }
      throw error
    })
}

/** Ends a transaction that was only to look, so that nothing of it stays. */
class Looked extends Error {
  readonly statements: readonly string[]
  constructor(statements: readonly string[]) {
    super('nothing was changed')
    this.statements = statements
  }
}

/**
 * What cursors are sealed with: made once for a database and kept in it, so that all processes take each other's.
 * The tables must be there.
 */
export async function cursorSecret(store: Store): Promise<string> {
  const known = await readNote(store, 'cursor-secret')
  if (known !== undefined) return String(known)
  await store.query(`insert into ${notes} values ('cursor-secret', $1) on conflict do nothing`, [
    randomBytes(32).toString('base64url'),
  ])
  return String(await readNote(store, 'cursor-secret'))
}

/** Any number, the same in every Octavo: "octavo" in letters of a telephone. */
const lockKey = 628_286

/** Our notes about the schema: `fingerprint`, and `table:<name>` for each table that we made. */
const notes = 'octavo_schema'

async function readNote(tx: Transaction, key: string): Promise<unknown> {
  const [[table] = []] = await tx.query(`select to_regclass($1)`, [notes])
  if (!table) return undefined
  const [[value] = []] = await tx.query(`select value from ${notes} where key = $1`, [key])
  return value
}

async function writeNote(tx: Transaction, key: string, value: string): Promise<void> {
  await tx.query(
    `insert into ${notes} values ($1, $2) on conflict (key) do update set value = excluded.value`,
    [key, value],
  )
}

interface Comparison {
  readonly difference: SchemaDifference
  readonly toSql: (difference: SchemaDifference) => string
  /** Those of our names that the database has. */
  readonly existing: readonly string[]
}

async function compare(tx: Transaction, tables: readonly Table[]): Promise<Comparison> {
  // Never connected: it knows how tables are compared and how the SQL is written, and is dropped afterwards.
  const orm = new MikroORM({
    entities: [...entitiesOf(tables)],
    dbName: 'unused',
    discovery: { warnWhenNoEntities: false },
  })
  const platform = orm.driver.getPlatform()
  // Its look at the catalogue goes through our transaction. Answers come as JSON, for we read them as bare text and by
  // position, while MikroORM wants names, booleans and lists.
  const catalogue = orm.driver.getConnection()
  catalogue.execute = async (sql, values = []) => {
    const text = platform
      .formatQuery(String(sql), values as unknown[])
      .trim()
      .replace(/;$/, '')
    const rows = await tx.query(`select row_to_json(r) from (${text}) r`)
    return rows.map(([row]) => JSON.parse(String(row))) as never
  }
  const target = orm.schema.getTargetSchema()
  const names = tables.map((table) => table.name)
  const found = await DatabaseSchema.create(
    catalogue,
    platform,
    orm.config,
    undefined,
    target.getNamespaces(),
    // Only ours are looked at: no other table can become part of the difference.
    names,
  )
  const difference = new SchemaComparator(platform).compare(found, target)
  return {
    difference,
    toSql: (difference) => orm.schema.diffToSQL(difference, { safe: false, dropTables: false, wrap: false }),
    existing: names.filter((name) => found.hasTable(name)),
  }
}

/** Tables of our names that we did not make: somebody's data, with which we shall not mix ours. */
async function foreignTables(
  tx: Transaction,
  existing: readonly string[],
): Promise<readonly SchemaRefusal[]> {
  const rows = await tx.query(`select key from ${notes} where key = any($1::text[])`, [
    existing.map((name) => `table:${name}`),
  ])
  const ours = new Set(rows.map(([key]) => key))
  return existing
    .filter((name) => !ours.has(`table:${name}`))
    .map((table) => ({
      table,
      reason: 'the table exists, but Octavo did not make it.',
      sql:
        `-- to put it out of the way\nalter table "${table}" rename to "${table}_old";\n` +
        `-- or, when it shall be used: Octavo then adds the columns that it misses\n` +
        `insert into ${notes} values ('table:${table}', 'adopted');`,
    }))
}

/**
 * Takes out of the difference, in place, what we leave alone; what remains only adds.
 *
 * @returns what cannot be left alone and cannot be done either.
 */
function narrow(
  difference: SchemaDifference,
  toSql: (difference: SchemaDifference) => string,
): readonly SchemaRefusal[] {
  difference.removedTables = {}
  difference.orphanedForeignKeys = []
  difference.removedNamespaces.clear()
  difference.removedNativeEnums = []
  difference.removedViews = {}
  difference.removedRoutines = {}

  const refusals: SchemaRefusal[] = []
  for (const [key, table] of Object.entries(difference.changedTables)) {
    // A column that went while another of its type came is no renaming to us: the old one's values stay where they are.
    for (const added of Object.values(table.renamedColumns)) table.addedColumns[added.name] = added
    table.renamedColumns = {}
    table.removedColumns = {}
    delete table.changedComment

    const declared = (columns: readonly string[]) =>
      columns.every((column) => table.toTable.hasColumn(column))
    const ours = (name: string, columns: readonly string[]) =>
      constraintSuffixes.some((suffix) => name.endsWith(`_${suffix}`)) && declared(columns)
    for (const [name, index] of Object.entries(table.removedIndexes)) {
      if (!ours(name, index.columnNames)) delete table.removedIndexes[name]
    }
    for (const [name, foreignKey] of Object.entries(table.removedForeignKeys)) {
      if (!ours(name, foreignKey.columnNames)) delete table.removedForeignKeys[name]
    }
    table.removedChecks = {}
    table.changedChecks = {}
    table.removedTriggers = {}
    table.removedPolicies = {}

    for (const [name, change] of Object.entries(table.changedColumns)) {
      // A column that may be null from now on loses nothing.
      const loosened =
        change.changedProperties.size === 1 &&
        change.changedProperties.has('nullable') &&
        change.column.nullable
      if (loosened) continue
      delete table.changedColumns[name]
      if (!change.changedProperties.has('type') && !change.changedProperties.has('nullable')) continue
      refusals.push({
        table: table.name,
        column: name,
        reason: `it is ${describe(change.fromColumn)}, and the definition needs ${describe(change.column)}; the values would have to be rewritten.`,
        sql: toSql({
          ...empty(difference),
          changedTables: { [key]: only(table, { changedColumns: { [name]: change } }) },
        }),
      })
    }
  }
  return refusals
}

type TableDifference = SchemaDifference['changedTables'][string]
type ColumnState = TableDifference['addedColumns'][string]

const describe = ({ type, nullable }: ColumnState): string => `${type}${nullable ? '' : ' not null'}`

const empty = (difference: SchemaDifference): SchemaDifference => ({
  ...difference,
  newTables: {},
  changedTables: {},
})

/** The same table's difference with nothing in it but `parts`. */
function only(table: TableDifference, parts: Partial<TableDifference>): TableDifference {
  const kept = ['name', 'fromTable', 'toTable']
  const cleared = Object.entries(table)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, kept.includes(key) ? value : {}])
  return { ...(Object.fromEntries(cleared) as TableDifference), ...parts }
}

/** Values that occur twice where a unique index is to be made, with some of them. */
async function duplicates(
  tx: Transaction,
  difference: SchemaDifference,
  tables: readonly Table[],
): Promise<readonly SchemaRefusal[]> {
  const refusals: SchemaRefusal[] = []
  for (const table of Object.values(difference.changedTables)) {
    const added = [...Object.values(table.addedIndexes), ...Object.values(table.changedIndexes)]
    for (const index of added.filter(
      (index) => index.unique && index.columnNames.every((name) => table.fromTable.hasColumn(name)),
    )) {
      const columns = index.columnNames.map(quote)
      const from = `from ${quote(table.name)} where ${columns.map((column) => `${column} is not null`).join(' and ')}`
      const twice = `group by ${columns.join(', ')} having count(*) > 1`
      const rows = await tx.query(
        `select json_build_array(${columns.join(', ')})::text, count(*) ${from} ${twice} order by 2 desc, 1 limit 3`,
      )
      if (rows.length === 0) continue
      const label = tables.find(({ name }) => name === table.name)?.label
      const some = rows.map(([values, count]) => `${String(values).slice(1, -1)} (${count} times)`).join(', ')
      refusals.push({
        table: table.name,
        column: index.columnNames.join(', '),
        reason: `${label} wants every value to be unique, and some are not: ${some}.`,
        sql: `select id, ${columns.join(', ')} from ${quote(table.name)} where (${columns.join(', ')}) in (select ${columns.join(', ')} ${from} ${twice}) order by 2, 1;\n-- then change or delete all but one of each`,
      })
    }
  }
  return refusals
}

/** MikroORM writes one statement a line, each ended by a semicolon, in groups. */
const splitStatements = (sql: string): readonly string[] =>
  sql
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter(Boolean)

async function apply(tx: Transaction, sql: string): Promise<void> {
  try {
    await tx.query(sql)
  } catch (error) {
    const table = /(?:table|on) "?([^\s"(]+)/i.exec(sql)?.[1] ?? 'unknown'
    const reason = error instanceof Error ? error.message : String(error)
    throw new SchemaError(
      [{ table, reason: `the database refused the change: ${reason}.`, sql: `${sql};` }],
      error,
    )
  }
}
