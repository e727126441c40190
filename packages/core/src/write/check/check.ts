import { type BatchedTransaction, join, param, type Sql, sql } from '@octavo/database'
import type { InputMistakes } from '../input/mistakes.ts'

/** A query of ids or other numbers, with the number of its rows in a write that is permitted. */
export interface List {
  readonly rows: Sql
  readonly count: number
}

/** A check of a write that needs the database, as data: it runs by itself, or in the message of the write. */
export interface Check {
  readonly lists: readonly List[]
  /** Whether it reads stored values or components of the written entry. Default false. */
  readonly readsEntry?: boolean
  /** A statement that locks further rows before all checks. Default: none. */
  readonly lock?: Sql | undefined
  /** Adds the mistakes, of which a list of another length has at least one. @throws OctavoError for an error that replaces all of them. */
  report(found: readonly (readonly number[])[], mistakes: InputMistakes): void
}

/** A report of one error that replaces all mistakes. @param error Made of what the first list has. */
export const refusal =
  (error: (found: readonly number[]) => unknown): Check['report'] =>
  ([found = []]) => {
    throw error(found)
  }

const listsOf = (checks: readonly Check[]): readonly List[] => checks.flatMap(({ lists }) => lists)

/** A query with one row, which has the lists of the checks as arrays. */
export const foundBy = (checks: readonly Check[]): Sql =>
  sql`select ${sql.join(listsOf(checks).map(({ rows }, i) => sql`array(${rows}) as ${sql.id(`c${i}`)}`))}`

/** Whether the checks permit the write, as an expression over {@link foundBy}. */
export function isPermitted(checks: readonly Check[]): Sql {
  const counts = listsOf(checks).map(({ count }, i) => [sql.id(`c${i}`), param(count, 'int4')] as const)
  return join([sql`true`, ...counts.map(([list, count]) => sql`cardinality(${list}) = ${count}`)], ' and ')
}

/** Adds the mistakes of checks. @param json The row of {@link foundBy} as JSON. @throws OctavoError */
export function reportFound(checks: readonly Check[], json: string, mistakes: InputMistakes): void {
  const found = Object.values(JSON.parse(json) as Readonly<Record<string, readonly number[]>>)
  let from = 0
  for (const { lists, report } of checks) {
    const its = found.slice(from, from + lists.length)
    if (lists.some(({ count }, i) => its[i]?.length !== count)) report(its, mistakes)
    from += lists.length
  }
}

/**
 * Runs checks by themselves.
 * @param ids An array of ids, which is evaluated where the checks permit the write only: a refused one uses up no id. Default: none.
 * @returns the ids @throws OctavoError; other mistakes are added to `mistakes`.
 */
export async function runChecks(
  checks: readonly Check[],
  tx: BatchedTransaction,
  mistakes: InputMistakes,
  ids?: Sql,
): Promise<readonly number[]> {
  if (checks.length === 0 && !ids) return []
  for (const { lock } of checks) if (lock) tx.send(lock)
  const taken = ids ? sql`case when ${isPermitted(checks)} then ${ids} end` : sql`null::int4[]`
  const [row] = await tx.run(
    sql`select to_json("found")::text as "found", to_json(${taken})::text as "ids" from (${foundBy(checks)}) as "found"`,
  )
  reportFound(checks, String(row?.found), mistakes)
  return JSON.parse(row?.ids ?? '[]') as readonly number[]
}
