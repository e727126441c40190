import { type Compiled, type Sql, sql } from '@octavo/database'
import type { QueryPlan } from '../plan/plan.ts'

/**
 * Wraps a statement of `compilePlan` so that its JSON is null when it has more bytes than the last value, and adds
 * the number of bytes as the last column. JSON over the bound is never sent by the database. A count is unchanged.
 *
 * @param bytes The bound, appended to the values.
 * @param over Whether JSON over the bound is null, or makes the statement fail; see {@link isOverBound}.
 */
export function boundSize(
  { text: statement, values }: Compiled,
  plan: QueryPlan,
  bytes: number,
  over: 'null' | 'error' = 'null',
): Compiled {
  const [data, ...others] = columnsOf(plan)
  if (data === undefined) return { text: statement, values }
  const text = `"answer"."${data}"`
  const length = lengthOf(text)
  const columns = [
    `case when ${length} <= $${values.length + 1}::int8 then ${text}${over === 'error' ? failureOf(text) : ''} end as "${data}"`,
    ...others.map((name) => `"answer"."${name}"`),
    `${length} as "bytes"`,
  ]
  // `offset 0` prevents PostgreSQL from computing the entry for each reference to it.
  return {
    text: `select ${columns.join(', ')} from (${statement} offset 0) as "answer"`,
    values: [...values, bytes],
  }
}

const lengthOf = (text: string): string => `octet_length(${text})`

/** A cast that always fails: PostgreSQL has no expression that raises an error. */
const failureOf = (text: string): string =>
  ` else cast('${overBound} ' || ${lengthOf(text)} as integer)::text`

/** A column with JSON, as an expression that fails when it has more bytes than the bound. */
export const inBound = (text: string, bytes: number): Sql =>
  sql.raw(
    Number.isFinite(bytes)
      ? `case when ${lengthOf(text)} <= ${bytes} then ${text}${failureOf(text)} end`
      : text,
  )

const overBound = 'octavo: the bytes of the answer are'

/** Whether an error of the database is that of {@link boundSize}. PostgreSQL's messages may be translated, but contain the text of the cast. */
export const isOverBound = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(overBound)

/** The columns of `compilePlan`'s statement. */
function columnsOf(plan: QueryPlan): readonly string[] {
  if (plan.kind === 'count') return []
  if (plan.kind === 'one' || plan.kind === 'all') return ['entry']
  const { paging } = plan
  return [
    'data',
    ...(paging.kind === 'cursor' ? ['positions', 'found'] : []),
    ...(paging.withCount ? ['total'] : []),
  ]
}
