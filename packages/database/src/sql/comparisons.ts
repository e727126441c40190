import { type Sql, sql } from './sql.ts'

/** The SQL of the comparisons of columns with values, three-valued as in SQL: a null column meets only `$null`. */
export const comparisons = {
  $eq: (c: Sql, v: Sql): Sql => sql`${c} = ${v}`,
  $ne: (c: Sql, v: Sql): Sql => sql`${c} <> ${v}`,
  $lt: (c: Sql, v: Sql): Sql => sql`${c} < ${v}`,
  $lte: (c: Sql, v: Sql): Sql => sql`${c} <= ${v}`,
  $gt: (c: Sql, v: Sql): Sql => sql`${c} > ${v}`,
  $gte: (c: Sql, v: Sql): Sql => sql`${c} >= ${v}`,
  $in: (c: Sql, list: Sql): Sql => sql`${c} = any(${list})`,
  $notIn: (c: Sql, list: Sql): Sql => sql`${c} <> all(${list})`,
  $null: (c: Sql): Sql => sql`${c} is null`,
  $notNull: (c: Sql): Sql => sql`${c} is not null`,
} as const

type Comparison = keyof typeof comparisons

export const isComparison = (name: string): name is Comparison => Object.hasOwn(comparisons, name)
