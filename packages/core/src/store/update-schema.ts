import type { SchemaDifference } from '@mikro-orm/postgresql'
import type { Registry } from '../content-type/model.ts'
import type { OwnTable } from '../rows/own-table.ts'
import { join, sql, toStatement, where } from '../sql/sql.ts'
import { hiddenData, isComplete, noteColumns } from './hidden-data.ts'
import { makeNotes, notedAmong, notesTable, readNote, writeNote } from './notes.ts'
import { quote } from './quote.ts'
import { renameStatements, renamesOf } from './rename-attributes.ts'
import { SchemaError, type SchemaRefusal } from './schema-error.ts'
import { noteSearch, searchStatements } from './search-index.ts'
import type { NamedRow, Queryable, Store, Transaction } from './store.ts'
import { constraintSuffixes, fingerprintOf, type Table, tablesOf } from './tables.ts'
import { noteTotals, totalsStatements } from './totals/update-totals.ts'

export interface UpdateSchemaOptions {
  /**
   * `changed` (the default) compares with the database only when the content-types differ from those of the last
   * update or a column is missing; `always` compares anyway, for a database that another program altered.
   */
  readonly check?: 'changed' | 'always'
  /** Changes nothing: renames are undone, and the other statements are not run. Default false. */
  readonly dryRun?: boolean
  /** Tables that plugins declared. Default none. */
  readonly tables?: readonly OwnTable[]
  /** Runs at the end of the transaction, also when the tables need no change. Default: nothing. */
  readonly within?: (tx: Transaction) => Promise<void>
}

export interface SchemaUpdate {
  /** The statements that were run, in order; empty when there was nothing to do. */
  readonly statements: readonly string[]
  /** Sentences about values in the database that no attribute reads any more. */
  readonly warnings: readonly string[]
}

/**
 * Creates and extends the tables of the registry: adds new tables, columns, indexes and keys, and drops Octavo's own indexes
 * and keys that are no longer declared. Data is never dropped: tables and columns without a definition are not changed, and
 * neither are objects of other programs.
 *
 * Runs in one transaction under an advisory lock, so that of several concurrent starts one makes the changes. Also works on
 * a running store.
 *
 * @throws SchemaError when a column would have to change its type, a unique value occurs twice, or a table of another
 * program has the name. Each refusal includes SQL that an operator may run.
 */
export async function updateSchema(
  store: Store,
  registry: Registry,
  options: UpdateSchemaOptions = {},
): Promise<SchemaUpdate> {
  const tables = tablesOf(registry, options.tables)
  const renames = renamesOf(registry)
  const fingerprint = fingerprintOf(tables, renames)
  const isCurrent = async (tx: Queryable) =>
    options.check !== 'always' &&
    (await readNote(tx, 'fingerprint')) === fingerprint &&
    (await isComplete(tx, tables))

  if (!options.within && (await isCurrent(store))) return upToDate
  return store
    .transaction(async (tx) => {
      await tx.lock('schema')
      // Another process may have made the changes meanwhile.
      if (await isCurrent(tx)) {
        await options.within?.(tx)
        return upToDate
      }
      // The index of a large table takes longer than the limit for requests.
      await tx.run(sql`set local statement_timeout to 0`)
      await makeNotes(tx)
      // Positions of appended entries. They start above those of imports, which count from 1.
      await tx.run(sql`create sequence if not exists octavo_position start 4294967296`)

      const renaming = await renameStatements(tx, renames)
      if (renaming.refusals.length > 0) throw new SchemaError(renaming.refusals)
      const ofRenames = renaming.statements.map((statement) => toStatement(statement).text)
      for (const statement of ofRenames) await apply(tx, statement)

      // MikroORM is loaded only here: a start on an unchanged schema does without it.
      const { compareSchema } = await import('./compare-schema.ts')
      const { difference, toSql, existing } = await compareSchema(tx, tables)
      const refusals = [
        ...(await foreignTables(tx, existing)),
        ...narrow(difference, toSql),
        ...(await duplicates(tx, difference, tables)),
      ]
      if (refusals.length > 0) throw new SchemaError(refusals)

      const statements = splitStatements(toSql(difference))
      const derived = [...(await totalsStatements(tx, tables)), ...(await searchStatements(tx, tables))].map(
        (statement) => toStatement(statement).text,
      )
      const warnings = await hiddenData(tx, tables)
      const update = { statements: [...ofRenames, ...statements, ...derived], warnings }
      if (options.dryRun) throw new DryRun(update)
      for (const statement of [...statements, ...derived]) await apply(tx, statement)
      await noteColumns(tx, tables)
      await noteTotals(tx, tables)
      await noteSearch(tx, tables)
      for (const { name, label } of tables) await writeNote(tx, `table:${name}`, label)
      await writeNote(tx, 'fingerprint', fingerprint)
      await options.within?.(tx)
      return update
    })
    .catch((error: unknown) => {
      if (error instanceof DryRun) return error.update
      throw error
    })
}

const upToDate: SchemaUpdate = { statements: [], warnings: [] }

/** Ends the transaction of a dry run, so that nothing of it stays. */
class DryRun extends Error {
  readonly update: SchemaUpdate
  constructor(update: SchemaUpdate) {
    super('nothing was changed')
    this.update = update
  }
}

/** Tables with a declared name that Octavo did not create. Their data must not be mixed with Octavo's. */
async function foreignTables(
  tx: Transaction,
  existing: readonly string[],
): Promise<readonly SchemaRefusal[]> {
  const ours = await notedAmong(
    tx,
    existing.map((name) => `table:${name}`),
  )
  return existing
    .filter((name) => !ours.has(`table:${name}`) && !name.startsWith('octavo_'))
    .map((table) => ({
      table,
      reason: 'the table exists, but Octavo did not create it.',
      sql:
        `-- to rename it\nalter table "${table}" rename to "${table}_old";\n` +
        `-- or, to use it: Octavo then adds the missing columns\n` +
        `insert into ${notesTable} values ('table:${table}', 'adopted');`,
    }))
}

/**
 * Removes destructive changes from the difference, in place, so that the rest only adds.
 *
 * @returns the changes that are necessary but would lose data.
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
    // A removed and an added column of one type are not a rename: the values of the old column are not moved.
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
      const rows = await repeated(tx, table.name, index.columnNames)
      if (rows.length === 0) continue
      const label = tables.find(({ name }) => name === table.name)?.label
      const some = rows.map(({ values, count }) => `${values?.slice(1, -1)} (${count} times)`).join(', ')
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

/** The values that occur most often of those that occur more than once. */
function repeated(tx: Transaction, table: string, names: readonly string[]): Promise<readonly NamedRow[]> {
  const columns = names.map((name) => sql.id(name))
  const list = join(columns, ', ')
  const given = where(columns.map((column) => sql`${column} is not null`))
  return tx.run(
    sql`select json_build_array(${list})::text as "values", count(*) from ${sql.id(table)}${given} group by ${list} having count(*) > 1 order by 2 desc, 1 limit 3`,
  )
}

/** MikroORM writes one statement a line, each ended by a semicolon, in groups. */
const splitStatements = (sql: string): readonly string[] =>
  sql
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter(Boolean)

async function apply(tx: Transaction, statement: string): Promise<void> {
  try {
    // The text of MikroORM, or of a statement without parameters, made from checked definitions.
    await tx.run(sql.raw(statement))
  } catch (error) {
    const table = /(?:table|on) "?([^\s"(]+)/i.exec(statement)?.[1] ?? 'unknown'
    const reason = error instanceof Error ? error.message : String(error)
    throw new SchemaError(
      [{ table, reason: `the database refused the change: ${reason}.`, sql: `${statement};` }],
      error,
    )
  }
}
