import { comparisons, isComparison } from '../sql/comparisons.ts'
import { type Bindable, isSql, join, param, type Sql, sql } from '../sql/sql.ts'
import type { SourceColumn } from './source.ts'

/** The SQL of a value to write into a column. */
export function writtenValue({ type }: SourceColumn, value: unknown): Sql {
  if (isSql(value)) return value
  if (value === undefined || value === null) return sql`null`
  return param(type === 'jsonb' ? JSON.stringify(value) : (value as Bindable), type)
}

/** The SQL of a test of `RowWhere` on the column `own`; `undefined` without a test. */
export function conditionSql(own: Sql, { type }: SourceColumn, test: unknown): Sql | undefined {
  if (test === undefined) return undefined
  if (test === null) return sql`${own} is null`
  if (Array.isArray(test)) {
    const values: readonly unknown[] = test
    const given = compare(
      '$in',
      own,
      type,
      values.filter((value) => value !== null),
    )
    return values.includes(null) ? sql`(${given} or ${own} is null)` : given
  }
  if (typeof test !== 'object' || test instanceof Date) return compare('$eq', own, type, test)
  const tests = Object.entries(test)
  return join(
    tests.map(([name, value]) => compare(name, own, type, value)),
    ' and ',
  )
}

function compare(name: string, own: Sql, type: string, value: unknown): Sql {
  if (!isComparison(name)) throw new Error(`There is no operator "${name}"`)
  const takesList = name === '$in' || name === '$notIn'
  const cast = `${type.replace(/\(.*\)/, '')}${takesList ? '[]' : ''}`
  const right = isSql(value) ? value : param(value as Bindable, cast)
  return comparisons[name](own, right)
}
