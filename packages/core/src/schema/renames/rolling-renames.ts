/** Renames of a start: at once when no other process uses the old names, and else in two steps. */
import { type Queryable, type Store, sql, type Transaction, toStatement } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import { notesWith, removeNote, writeNote } from '../notes.ts'
import type { Processes } from '../processes.ts'
import type { SchemaRefusal } from '../schema-error.ts'
import { type Awaited, schemaTransaction } from '../schema-transaction.ts'
import { dropWordsOf } from '../search/search-index.ts'
import type { Part } from '../tables/parts.ts'
import { type Table, tablesOf } from '../tables/tables.ts'
import { type Endings, endingsOf, isSame } from './begun-renames.ts'
import { type FieldRename, type Named, type Rename, renamesOf } from './declared-renames.ts'
import { begunRenames, copyValues, expand, noteContracted } from './expand-renames.ts'
import { exists, hasRows, hasValues, type PendingRenames, renameStatements } from './rename-attributes.ts'

const isNamed = (rename: Rename): rename is Named => rename.kind !== 'field'

/** Notes of renames that are done: `renamed:<table>.<old column>` or `renamed:<old table>`; the value is the new name. */
const prefix = 'renamed:'

/** Notes of renames of rows, in the same way: `renamed-rows:<uid>.<old attribute>`. */
const rowsPrefix = 'renamed-rows:'

const doneKey = (rename: Rename, name: string): string =>
  rename.kind === 'table'
    ? `${prefix}${name}`
    : rename.kind === 'column'
      ? `${prefix}${rename.table}.${name}`
      : `${rowsPrefix}${rename.owner}.${name}`

/**
 * Adds the new names of renames beside the old ones, while processes with other definitions run. Before the transaction of the update, since
 * values are copied beside the writes of these processes.
 */
export async function expandRenames(
  store: Store,
  renames: readonly Rename[],
  tables: readonly Table[],
  processes: Processes,
  onWait?: (on: Awaited) => void,
): Promise<void> {
  if (renames.length === 0 || !(await processes.hasOthers(store))) return
  for (const rename of renames.filter(isNamed)) {
    const begin = async (tx: Transaction): Promise<boolean> => {
      if ((await begunRenames(tx)).some((one) => isSame(one, rename))) return rename.kind === 'column'
      // Values under both names are refused by the update.
      if ((await exists(tx, rename, rename.to)) && (await hasValues(tx, rename, rename.to))) return false
      return expand(tx, rename, tables)
    }
    const hasRows = await schemaTransaction(store, begin, onWait)
    if (hasRows && rename.kind === 'column') await copyValues(store, rename, processes)
  }
}

/**
 * The statements of the renames of a start, or why it is refused. Expanded renames stay as they are while other processes run.
 * Renames that take place at once come after the ends of begun ones.
 */
export async function pendingRenames(
  tx: Transaction,
  renames: readonly Rename[],
  tables: readonly Table[],
  processes: Processes | undefined,
): Promise<PendingRenames & Pick<Endings, 'warnings'>> {
  const others = {
    run: (await processes?.hasOthers(tx)) ?? false,
    mayReturn: (await processes?.mayHaveOthers(tx)) ?? false,
  }
  const { begun, warnings, ...endings } = await endingsOf(tx, renames, tables, others)
  const atOnce = renames.filter((rename) => !begun.some((one) => isSame(rename, one)))
  const pending = await renameStatements(tx, atOnce, others.run)
  const columns = pending.atOnce.filter((rename) => rename.kind === 'column')
  return {
    refusals: [...endings.refusals, ...pending.refusals],
    statements: [...endings.statements, ...(await dropWordsOf(tx, columns)), ...pending.statements],
    atOnce: pending.atOnce,
    warnings,
  }
}

/** Notes the renames that are done, after their statements ran. */
export async function noteRenames(tx: Transaction, declared: readonly Rename[]): Promise<void> {
  const left = (await begunRenames(tx)).filter((rename) => !declared.some((one) => isSame(one, rename)))
  for (const rename of [...left, ...declared]) {
    if (isNamed(rename)) {
      if (await exists(tx, rename, rename.from)) continue
      await noteContracted(tx, rename)
    }
    // Earlier renames to the name that is gone lead to the new one.
    for (const [key, to] of await notesWith(tx, doneKey(rename, '')))
      if (to === rename.from) await writeNote(tx, key, rename.to)
    await removeNote(tx, doneKey(rename, rename.to))
    await writeNote(tx, doneKey(rename, rename.from), rename.to)
  }
}

/** Removes the former names of begun renames. @returns whether processes with other definitions still use them */
export async function contractRenames(
  store: Store,
  registry: Registry,
  processes: Processes,
): Promise<boolean> {
  const renames = renamesOf(registry).filter(isNamed)
  const tables = tablesOf(registry)
  const { statements } = await endingsOf(store, renames, tables, { run: false, mayReturn: false })
  if (statements.length === 0) return false
  if (await processes.mayHaveOthers(store)) return true
  return schemaTransaction(store, async (tx) => {
    if (await processes.mayHaveOthers(tx)) return true
    const pending = await pendingRenames(tx, renames, tables, processes)
    for (const statement of pending.statements) await tx.run(sql.raw(toStatement(statement).text))
    await noteRenames(tx, renames)
    return false
  })
}

/**
 * The columns, tables and rows of these definitions whose values a later version has moved to another name: the start would make them anew,
 * and empty.
 */
export async function movedValues(
  tx: Transaction,
  tables: readonly Table[],
  parts: readonly Part[],
  renames: readonly Rename[],
): Promise<readonly SchemaRefusal[]> {
  const back = new Set(renames.map((rename) => doneKey(rename, rename.to)))
  const refusals = [...(await movedRows(tx, parts, back))]
  for (const [key, to] of await notesWith(tx, prefix)) {
    const [table = '', from] = key.slice(prefix.length).split('.')
    const declared = tables.find(({ name }) => name === table)
    if (!declared || back.has(key)) continue
    const has = (name: string): boolean => declared.columns.some((column) => column.name === name)
    if (from === undefined ? tables.some(({ name }) => name === to) : !has(from) || has(to)) continue
    const rename: Named =
      from === undefined ? { kind: 'table', from: table, to } : { kind: 'column', table, from, to }
    if ((await exists(tx, rename, rename.from)) || !(await exists(tx, rename, to))) continue
    if (await hasValues(tx, rename, to)) refusals.push(refusalOf(rename))
  }
  return refusals
}

async function movedRows(
  tx: Transaction,
  parts: readonly Part[],
  back: ReadonlySet<string>,
): Promise<readonly SchemaRefusal[]> {
  const refusals: SchemaRefusal[] = []
  const noted = await notesWith(tx, rowsPrefix)
  for (const { owner, field: from, tables } of parts) {
    const key = `${rowsPrefix}${owner}.${from}`
    const to = noted.get(key)
    if (to === undefined || back.has(key) || parts.some((one) => one.owner === owner && one.field === to))
      continue
    for (const table of tables) {
      const rename: FieldRename = { kind: 'field', table, owner, from, to }
      if (!(await hasRows(tx, rename, from)) && (await hasRows(tx, rename, to)))
        refusals.push(refusalOf(rename))
    }
  }
  return refusals
}

function refusalOf(rename: Rename): SchemaRefusal {
  const { from, to } = rename
  const what = rename.kind === 'field' ? `the values of "${from}" of ${rename.owner}` : 'its values'
  const reason = `${what} are under the name "${to}", to which later definitions renamed it. Start those, or rename it back: "renamedFrom" with the later name.`
  if (rename.kind === 'field') {
    const { table, owner } = rename
    const rows = sql`update ${sql.id(table)} set field = ${sql.lit(from)} where owner_type = ${sql.lit(owner)} and field = ${sql.lit(to)}`
    return { table, reason, sql: `${toStatement(rows).text};` }
  }
  return rename.kind === 'table'
    ? { table: from, reason, sql: `alter table "${to}" rename to "${from}";` }
    : {
        table: rename.table,
        column: from,
        reason,
        sql: `alter table "${rename.table}" rename column "${to}" to "${from}";`,
      }
}

/** The tables that are views of another name, which a rename has begun to replace. */
export async function formerNames(tx: Queryable): Promise<ReadonlySet<string>> {
  const begun = await begunRenames(tx)
  return new Set(begun.flatMap(({ kind, from }) => (kind === 'table' ? [from] : [])))
}
