import type { QueryPlan } from '../plan/plan.ts'
import type { Compiled } from '../sql/sql.ts'

/**
 * Wraps a statement of `compilePlan` so that its JSON is null when it has more bytes than the last value, and adds
 * the number of bytes as the last column. JSON over the bound is never sent by the database. A count is unchanged.
 *
 * @param bytes The bound, appended to the values.
 */
export function boundSize({ text, values }: Compiled, plan: QueryPlan, bytes: number): Compiled {
  const [data, ...others] = columnsOf(plan)
  if (data === undefined) return { text, values }
  const columns = [
    `case when octet_length("answer"."${data}") <= $${values.length + 1}::int8 then "answer"."${data}" end as "${data}"`,
    ...others.map((name) => `"answer"."${name}"`),
    `octet_length("answer"."${data}") as "bytes"`,
  ]
  // `offset 0` prevents PostgreSQL from computing the entry for each reference to it.
  return {
    text: `select ${columns.join(', ')} from (${text} offset 0) as "answer"`,
    values: [...values, bytes],
  }
}

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
