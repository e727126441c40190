/** From the rows of a statement to the answer. */

import type { Row } from '@octavo/database'
import type { OffsetPaging, Paging } from '../plan/plan.ts'
import type { Pagination, ReadAnswer } from '../requests.ts'
import { type CursorPosition, type Cursors, cursorsOf } from '../resolve/cursor.ts'
import { compactJson } from './compact.ts'
import { withFunctions } from './computed.ts'
import type { Prepared, Ready } from './prepared.ts'

export interface AnswerParts {
  readonly cursors: Cursors
  /** Runs the statement that estimates a total. */
  readonly estimate: (statement: Ready) => Promise<readonly Row[]>
}

/**
 * Converts rows as documented at `compilePlan`. Not async, so that the many answers without an estimate wait for one promise
 * less.
 */
export function answerOf(
  prepared: Prepared,
  rows: readonly Row[],
  parts: AnswerParts,
): ReadAnswer | Promise<ReadAnswer> {
  const { plan, paging, estimate } = prepared
  const [first = []] = rows
  const finish = (answer: ReadAnswer): ReadAnswer => finished(prepared, answer)
  if (plan.kind === 'one') return finish({ data: rows[0] ? String(first[0]) : undefined })
  if (plan.kind === 'all') return finish({ data: `[${rows.map(([entry]) => entry).join(',')}]` })
  if (plan.kind === 'count') return { data: String(first[0] ?? 0) }
  if (!paging) throw new Error('A list without paging')
  const counted = first.at(-1)
  if (estimate === undefined || counted !== null)
    return finish(list(first, paging, paging.withCount ? { total: Number(counted) } : {}, parts))
  return parts.estimate(estimate).then((found) => {
    // At least the bound plus one was counted, whatever PostgreSQL estimates.
    const total = Math.max(estimate.above + 1, expectedRows(found))
    return finish(list(first, paging, paging.withCount ? { total, estimated: true } : {}, parts))
  })
}

interface Total {
  readonly total?: number
  readonly estimated?: true
}

function list(first: Row, paging: Paging, totals: Total, { cursors }: AnswerParts): ReadAnswer {
  const data = `[${first[0] ?? ''}]`
  if (paging.kind !== 'cursor') return { data, pagination: paginationOf(paging, totals) }
  const [, positions, found] = first
  const { keyset, pageSize } = paging
  const places = JSON.parse(`[${positions ?? ''}]`) as CursorPosition[] // the format of compile
  const hasMore = Number(found) > pageSize
  return { data, pagination: { pageSize, ...totals, cursors: cursorsOf(keyset, places, hasMore, cursors) } }
}

/** The number of rows that PostgreSQL's plan expects. */
function expectedRows(rows: readonly Row[]): number {
  const [{ Plan: plan }] = JSON.parse(String(rows[0]?.[0])) as [{ Plan: { 'Plan Rows': number } }] // PostgreSQL's format
  return plan['Plan Rows']
}

function paginationOf(paging: OffsetPaging, totals: Total): Pagination {
  const { total } = totals
  if (paging.kind === 'offset') return { start: paging.start, limit: paging.limit, ...totals }
  const { page, pageSize } = paging
  return total === undefined
    ? { page, pageSize }
    : { page, pageSize, pageCount: Math.ceil(total / pageSize), ...totals }
}

/** The answer as it is sent: with the values of functions, and without whitespace. */
function finished({ plan, hasJson, hasFunctions }: Prepared, answer: ReadAnswer): ReadAnswer {
  const { data } = answer
  if (data === undefined || !(hasJson || hasFunctions)) return answer
  const computed = hasFunctions ? withFunctions(data, plan.root) : data
  return { ...answer, data: hasJson ? compactJson(computed) : computed }
}
