/** How the renames end that were begun beside processes with other definitions. */
import { type Queryable, type Sql, sql, toStatement } from '@octavo/database'
import { behindNeeded } from '../../behind-needed.ts'
import { noteRemoval } from '../notes.ts'
import { ownRelation } from '../own-relation.ts'
import type { SchemaRefusal } from '../schema-error.ts'
import { dropWordsOf } from '../search/search-index.ts'
import type { Table } from '../tables/tables.ts'
import type { Named, Rename } from './declared-renames.ts'
import { begunRenames, contractStatements, keyOf, undoStatements } from './expand-renames.ts'

/** Processes with other definitions. */
export interface OtherProcesses {
  readonly run: boolean
  /** Whether they run, or ended so lately that they may start again. */
  readonly mayReturn: boolean
}

interface Ending {
  readonly rename: Named
  /** The name that remains. */
  readonly remains: 'old' | 'new'
}

export interface Endings {
  readonly begun: readonly Named[]
  readonly statements: readonly Sql[]
  /** Renames of which both names are attributes now: only the operator knows which of them had the values first. */
  readonly refusals: readonly SchemaRefusal[]
  /** Sentences about old names that stay, since views or functions of others use them. */
  readonly warnings: readonly string[]
}

/**
 * The statements that end begun renames. A rename that is declared no more ends as well: its version was taken back, or the next one leaves
 * `renamedFrom` out. While both names exist, a write to one is a write to the other, and a further rename of either would break all writes of the table.
 */
export async function endingsOf(
  db: Queryable,
  declared: readonly Rename[],
  tables: readonly Table[],
  others: OtherProcesses,
): Promise<Endings> {
  const begun = await begunRenames(db)
  const names = namesOf(declared, tables)
  const old: Ending[] = []
  const fresh: Ending[] = []
  const refusals: SchemaRefusal[] = []
  const warnings: string[] = []
  for (const rename of begun) {
    const isDeclared = declared.some((one) => isSame(one, rename))
    const [hasOld, hasNew] = [names.has(rename, rename.from), names.has(rename, rename.to)]
    if (!isDeclared && hasOld && hasNew) refusals.push(refusalOfBoth(rename))
    else if (!isDeclared && hasOld) {
      if (!others.run) old.push({ rename, remains: 'old' })
    } else if (hasNew && !(names.isRenamed(rename, rename.to) ? others.run : others.mayReturn)) {
      const users = await usersOfOldName(db, rename)
      // A further rename cannot leave the link of the two names as it is, and the database refuses it while others use the old one.
      if (users === undefined || names.isRenamed(rename, rename.to)) fresh.push({ rename, remains: 'new' })
      else warnings.push(sentenceOfUsers(rename, users))
    }
  }
  const isBefore = (one: Named, other: Named): boolean =>
    isSame(one, { ...other, from: one.from, to: other.from })
  const ended = [
    ...old,
    ...behindNeeded(fresh, ({ rename }) => fresh.find((one) => isBefore(one.rename, rename))),
  ]
  return { begun, statements: await statementsOf(db, ended), refusals, warnings }
}

/** The names that the definitions use, and those that they rename. */
function namesOf(declared: readonly Rename[], tables: readonly Table[]) {
  const isRenamed = (rename: Named, name: string): boolean =>
    declared.some((one) => isSame(one, { ...rename, from: name, to: one.to }))
  return {
    isRenamed,
    has: (rename: Named, name: string): boolean => {
      const table = tables.find((one) => one.name === (rename.kind === 'table' ? name : rename.table))
      const isDeclared =
        rename.kind === 'table' ? table !== undefined : table?.columns.some((column) => column.name === name)
      return isDeclared === true || isRenamed(rename, name)
    },
  }
}

export const isSame = (one: Rename, other: Named): boolean =>
  one.kind === other.kind &&
  one.from === other.from &&
  one.to === other.to &&
  (one.kind !== 'column' || (other.kind === 'column' && one.table === other.table))

async function statementsOf(db: Queryable, ended: readonly Ending[]): Promise<readonly Sql[]> {
  const dropped = ended.flatMap(({ rename, remains }) =>
    rename.kind === 'column'
      ? [{ table: rename.table, from: remains === 'old' ? rename.to : rename.from }]
      : [],
  )
  return [
    ...(await dropWordsOf(db, dropped)),
    ...ended.flatMap(({ rename, remains }) =>
      remains === 'old' ? undoStatements(rename) : contractStatements(rename),
    ),
  ]
}

function refusalOfBoth(rename: Named): SchemaRefusal {
  const { from, to } = rename
  const textOf = (statements: readonly Sql[]): string =>
    statements.map((statement) => `${toStatement(statement).text};`).join('\n')
  return {
    ...(rename.kind === 'table' ? { table: to } : { table: rename.table, column: to }),
    reason: `earlier definitions began to rename "${from}" to "${to}", so both have the same values, and both are attributes now.`,
    sql:
      `-- to have the values as "${from}" only\n${textOf(undoStatements(rename))}\n` +
      `-- or as "${to}" only\n${textOf([...contractStatements(rename), noteRemoval(keyOf(rename))])}`,
  }
}

const sentenceOfUsers = (rename: Named, users: string): string =>
  `${rename.kind === 'table' ? `The view "${rename.from}"` : `The column "${rename.from}" of the table "${rename.table}"`} has the same values as "${rename.to}", to which it was renamed, and stays because others use it: ${users}. Make them use the new name; the next start then removes the old one.`

/** The views and functions of others that use the old name of a rename; `undefined` where there are none. */
async function usersOfOldName(db: Queryable, rename: Named): Promise<string | undefined> {
  const relation = ownRelation(rename.kind === 'table' ? rename.from : rename.table)
  const column =
    rename.kind === 'table'
      ? sql``
      : sql` and refobjsubid = (select attnum from pg_attribute where attrelid = ${relation} and attname = ${sql.val(rename.from)}::text)`
  const [row] = await db.run(
    sql`select string_agg(distinct pg_describe_object(classid, objid, objsubid), ', ') as "objects" from pg_depend where refclassid = 'pg_class'::regclass and refobjid = ${relation}${column} and deptype = 'n' and (classid = 'pg_proc'::regclass or classid = 'pg_rewrite'::regclass and objid not in (select oid from pg_rewrite where ev_class = ${relation}))`,
  )
  return row?.objects ?? undefined
}
