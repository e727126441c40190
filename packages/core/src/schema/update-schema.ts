import type { DriverError, OwnTable, Queryable, Store, Transaction } from '@octavo/database'
import { ConfigurationError, isPassing, sql, sqlState, toStatement } from '@octavo/database'
import type { Registry } from '../content-type/model.ts'
import { makeAdditive } from './additive-difference.ts'
import { sharedTargets } from './convert-relations.ts'
import { layout, noteLayout, refuseLaterLayout } from './layout.ts'
import { hiddenData, isComplete, noteColumns } from './left-behind/hidden-data.ts'
import { hiddenEntries, singleTypesOf } from './left-behind/hidden-entries.ts'
import { hiddenParts, noteRenamedModels } from './left-behind/hidden-parts.ts'
import { longValues } from './long-values.ts'
import { makeNotes, notesElsewhere, readNote, writeNote } from './notes.ts'
import type { Processes } from './processes.ts'
import { duplicateValues, foreignObjects, foreignTables, otherTargets } from './refusals.ts'
import { type Named, type Rename, renamesOf, takenRenamesOf } from './renames/declared-renames.ts'
import { refusalsOfTaken, withFormerNames } from './renames/rename-attributes.ts'
import {
  expandRenames,
  formerNames,
  movedValues,
  noteRenames,
  pendingRenames,
} from './renames/rolling-renames.ts'
import { SchemaError } from './schema-error.ts'
import { type Awaited, isLockTimeout, schemaTransaction } from './schema-transaction.ts'
import { noteSearch, searchesBeside, searchStatements, timeOf } from './search/search-index.ts'
import { changedSecrets, noteSecrets, secretColumns } from './secret-columns.ts'
import { partsOf } from './tables/parts.ts'
import { fingerprintOf, type Table, tablesOf } from './tables/tables.ts'
import { noteTotals, totalsStatements } from './totals/update-totals.ts'
import { unfilledColumns } from './unfilled-columns.ts'

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
  /** Whether indexes of searches are left out on tables with rows, to be made beside the requests. Default false. */
  readonly searchesLater?: boolean
  /** The processes that use the database. Default: none but this one, so that a rename takes place at once. */
  readonly processes?: Processes
  /** Runs at the end of the transaction, also when the tables need no change, and again when that is repeated. Default: nothing. */
  readonly within?: (tx: Transaction) => Promise<void>
  /** Called when the update waits for that of another process, or for transactions. Default: nothing. */
  readonly onWait?: (on: Awaited) => void
}

export interface SchemaUpdate {
  /** The statements that were run, in order; empty when there was nothing to do. */
  readonly statements: readonly string[]
  /** Sentences about values in the database that no attribute reads any more, and about new attributes that rows have no value of. */
  readonly warnings: readonly string[]
  /** Whether Octavo had no tables in this database before. */
  readonly isFirst?: true
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
 * program has the name. Each refusal includes SQL that an operator may run. ConfigurationError when a later version of Octavo has written the database,
 * or its user may not change the tables.
 */
export async function updateSchema(
  store: Store,
  registry: Registry,
  options: UpdateSchemaOptions = {},
): Promise<SchemaUpdate> {
  const tables = tablesOf(registry, options.tables)
  const renames = renamesOf(registry)
  // A part that no attribute reads any more changes no table, nor does a collection that becomes a single type.
  const singles = singleTypesOf(registry).map(({ uid }) => uid)
  const secrets = secretColumns(registry)
  const fingerprint = fingerprintOf(tables, [...renames, ...partsOf(registry), { layout, singles, secrets }])
  const isCurrent = async (tx: Queryable) =>
    options.check !== 'always' &&
    (await readNote(tx, 'fingerprint')) === fingerprint &&
    (await isComplete(tx, options.searchesLater ? tables.map(({ words: _, ...table }) => table) : tables))

  if (!options.within && (await isCurrent(store))) return upToDate
  if (options.processes && !options.dryRun)
    await expandRenames(store, renames, tables, options.processes, options.onWait)
  return schemaTransaction(
    store,
    async (tx) => {
      // Another process may have made the changes meanwhile.
      if (await isCurrent(tx)) {
        await options.within?.(tx)
        return upToDate
      }
      const update = await bringUpToDate(tx, { registry, tables, renames, options })
      await writeNote(tx, 'fingerprint', fingerprint)
      await options.within?.(tx)
      return update
    },
    options.onWait,
  ).catch((error: unknown) => {
    if (error instanceof DryRun) return error.update
    throw ofRights(error)
  })
}

interface Wanted {
  readonly registry: Registry
  readonly tables: readonly Table[]
  readonly renames: readonly Rename[]
  readonly options: UpdateSchemaOptions
}

/**
 * Makes the tables of the database those that are wanted, and notes what they are.
 * @throws SchemaError; DryRun with the statements, after the renames, when nothing is to be changed
 */
async function bringUpToDate(
  tx: Transaction,
  { registry, tables, renames, options }: Wanted,
): Promise<SchemaUpdate> {
  // A later version may have started since this process has.
  await refuseLaterLayout(tx)
  const elsewhere = await notesElsewhere(tx)
  const isFirst = (await readNote(tx, 'fingerprint')) === undefined
  await makeNotes(tx)
  // Positions of appended entries. They start above those of imports, which count from 1.
  await tx.run(sql`create sequence if not exists octavo_position start 4294967296`)

  const renaming = await pendingRenames(tx, renames, tables, options.processes)
  const moved = await movedValues(tx, tables, partsOf(registry), renames)
  const taken = await refusalsOfTaken(tx, takenRenamesOf(registry))
  const refused = [...renaming.refusals, ...taken, ...moved]
  if (refused.length > 0) throw new SchemaError(refused)
  const ofRenames = renaming.statements.map((statement) => toStatement(statement).text)
  for (const statement of ofRenames) await apply(tx, statement)

  const secrets = await changedSecrets(tx, registry, renames)
  if (secrets.length > 0) throw new SchemaError(secrets)
  const { statements, difference } = await additions(tx, tables, renaming.atOnce)
  const hasOthers = (await options.processes?.hasOthers(tx)) ?? false
  const later = options.searchesLater ? await searchesBeside(tx, tables, hasOthers) : []
  const searchedNow = tables.filter(({ name }) => later.every(({ table }) => table.name !== name))
  const derived = [...(await totalsStatements(tx, tables)), ...(await searchStatements(tx, searchedNow))].map(
    (statement) => toStatement(statement).text,
  )
  const warnings = [
    ...elsewhere,
    ...renaming.warnings,
    ...(await hiddenData(tx, tables)),
    ...(await hiddenParts(tx, registry, tables)),
    ...(await hiddenEntries(tx, registry)),
    ...(await sharedTargets(tx, registry)),
    ...(await unfilledColumns(tx, difference, registry)),
  ]
  if (options.dryRun) for (const one of later) warnings.push(...(await timeOf(tx, one)))
  const made = [...ofRenames, ...statements, ...derived]
  const update: SchemaUpdate = { statements: made, warnings, ...(isFirst && { isFirst }) }
  if (options.dryRun) throw new DryRun(update)
  for (const statement of [...statements, ...derived]) await apply(tx, statement)
  await noteLayout(tx)
  await noteRenames(tx, renames)
  await noteColumns(tx, tables)
  await noteSecrets(tx, registry)
  await noteTotals(tx, tables)
  await noteSearch(tx, searchedNow)
  await noteRenamedModels(tx, tables)
  for (const { name, label } of tables) await writeNote(tx, `table:${name}`, label)
  return update
}

/** The statements that add what the database lacks. @throws SchemaError where something would be lost */
async function additions(tx: Transaction, tables: readonly Table[], renamed: readonly Named[]) {
  // MikroORM is loaded only here: a start on an unchanged schema does without it.
  const { compareSchema } = await import('./compare-schema.ts')
  const views = await formerNames(tx)
  const own = tables.filter(({ name }) => !views.has(name))
  const { difference, toSql, existing } = await compareSchema(tx, own)
  const refusals = [
    ...(await foreignTables(tx, existing)),
    ...(await foreignObjects(tx, own)),
    ...(await otherTargets(tx, tables)),
    ...makeAdditive(difference, toSql),
    ...(await duplicateValues(tx, difference, tables)),
    ...(await longValues(tx, difference, tables)),
  ]
  if (refusals.length > 0) throw new SchemaError(refusals.map((refusal) => withFormerNames(refusal, renamed)))
  return { statements: namesFirst(splitStatements(toSql(difference))), difference }
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

const isOfRights = (error: unknown): error is Error => sqlState(error) === '42501'

/** Says what the user of the database lacks. Other errors stay. */
function ofRights(error: unknown): unknown {
  if (!isOfRights(error)) return error
  return new ConfigurationError(
    `The user of the database may not make what the content-types need: ${error.message}. A start with new or changed content-types makes tables, columns and indexes: ` +
      'let a user start it who owns the tables and has the right "create" on their schema. A start without changes needs the rights to read and write rows only.',
    { cause: error },
  )
}

/** MikroORM writes one statement a line, each ended by a semicolon, in groups. */
const splitStatements = (sql: string): readonly string[] =>
  sql
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter(Boolean)

/** Puts the statements that remove names first. A new index may have the name of an existing one, whose table had the name of the new table before. */
function namesFirst(statements: readonly string[]): readonly string[] {
  const frees = (statement: string): boolean =>
    /^(?:drop index|alter index|alter table "[^"]+" drop constraint) /.test(statement)
  return [...statements.filter(frees), ...statements.filter((statement) => !frees(statement))]
}

async function apply(tx: Transaction, statement: string): Promise<void> {
  try {
    // The text of MikroORM, or of a statement without parameters, made from checked definitions.
    await tx.run(sql.raw(statement))
  } catch (error) {
    // A lost connection, a full disk, a deadlock or a lock of a process that serves requests says nothing about the change.
    if (isPassing(error) || isLockTimeout(error) || isOfRights(error)) throw error
    const table = /(?:table|on) "?([^\s"(]+)/i.exec(statement)?.[1] ?? 'unknown'
    const { message = String(error), detail = '' }: Partial<DriverError> = error instanceof Error ? error : {}
    const reason = [message, ...detail.split('\n')].filter(Boolean).join('; ')
    throw new SchemaError(
      [{ table, reason: `the database refused the change: ${reason}.`, sql: `${statement};` }],
      error,
    )
  }
}
