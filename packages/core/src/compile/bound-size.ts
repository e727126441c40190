import type { Compiled } from '@octavo/database'
import type { QueryPlan } from '../plan/plan.ts'

/**
 * Wraps a statement of `compilePlan` so that its JSON is null when it has more bytes than the last value, and adds
 * the number of bytes as the last column. JSON over the bound is never sent by the database. A count is unchanged.
 *
 * @param bytes The bound, appended to the values.
 * @param over Whether JSON over the bound is null, or makes the statement fail; see {@link isOverBound}.
 */
export function boundSize(
  { text, values }: Compiled,
  plan: QueryPlan,
  bytes: number,
  over: 'null' | 'error' = 'null',
): Compiled {
  const [data, ...others] = columnsOf(plan)
  if (data === undefined) return { text, values }
  const length = `octet_length("answer"."${data}")`
  // A cast that always fails: PostgreSQL has no expression that raises an error.
  const failure = ` else cast('${overBound} ' || ${length} as integer)::text`
  const columns = [
    `case when ${length} <= $${values.length + 1}::int8 then "answer"."${data}"${over === 'error' ? failure : ''} end as "${data}"`,
    ...others.map((name) => `"answer"."${name}"`),
    `${length} as "bytes"`,
  ]
  // `offset 0` prevents PostgreSQL from computing the entry for each reference to it.
  return {
    text: `select ${columns.join(', ')} from (${text} offset 0) as "answer"`,
    values: [...values, bytes],
  }
}

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
