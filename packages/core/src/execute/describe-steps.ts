import type { ExplainedStep } from '../explanation.ts'

/** A node of `EXPLAIN (ANALYZE, FORMAT JSON)`, by PostgreSQL's names. Times and rows are means per loop. */
interface ReportedStep {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Subplan Name'?: string
  readonly 'Plan Rows': number
  readonly 'Total Cost': number
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Actual Total Time'?: number
  readonly Plans?: readonly ReportedStep[]
  readonly [property: string]: unknown
}

export interface PlanReport {
  readonly Plan: ReportedStep
  readonly 'Planning Time': number
  readonly 'Execution Time': number
}

/** Reads the one value of `EXPLAIN (FORMAT JSON)`. */
export const readReport = (text: unknown): PlanReport => (JSON.parse(String(text)) as [PlanReport])[0] // PostgreSQL's own format

/** The properties with conditions, which may contain values of the statement. */
const conditions = ['Index Cond', 'Recheck Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'Filter'] as const

/** The check of the time that `inTime` adds to each table of the embedded database, as PostgreSQL prints it. */
const timeCheck = String.raw`\(pg_temp\.octavo_greater\(pg_temp\.octavo_random\(\), '[\d.]+'::double precision\) OR \(pg_temp\.octavo_in_time\([^()]+\) IS NOT NULL\)\)`
const checksAmongOthers = new RegExp(`${timeCheck} AND | AND ${timeCheck}|^${timeCheck}$`, 'g')

/** A condition as the query has it. */
const withoutChecks = (condition: string): string => condition.replaceAll(checksAmongOthers, '')

/** Only the listed properties are included, since most others may contain values of the statement. */
export function describeStep(step: ReportedStep, shown: { readonly values: boolean }): ExplainedStep {
  const loops = step['Actual Loops'] ?? 0
  const removed = Object.entries(step)
    .filter(([name]) => name.startsWith('Rows Removed by'))
    .reduce((sum, [, rows]) => sum + Number(rows) * loops, 0)
  const texts = conditions.flatMap((name) => {
    const text = withoutChecks(String(step[name] ?? ''))
    return text === '' ? [] : [`${name}: ${text}`]
  })
  return {
    type: step['Node Type'],
    ...(step['Relation Name'] !== undefined && { table: step['Relation Name'] }),
    ...(step['Index Name'] !== undefined && { index: step['Index Name'] }),
    ...(step['Subplan Name'] !== undefined && { name: step['Subplan Name'] }),
    estimatedRows: step['Plan Rows'],
    rows: Math.round((step['Actual Rows'] ?? 0) * loops),
    loops,
    ...(removed > 0 && { removedRows: Math.round(removed) }),
    cost: step['Total Cost'],
    time: (step['Actual Total Time'] ?? 0) * loops,
    ...(shown.values && texts.length > 0 && { conditions: texts }),
    steps: (step.Plans ?? []).map((below) => describeStep(below, shown)),
  }
}
