import type { RawPagination } from '../parse/raw.ts'
import { offsetPaging, pagePaging } from '../plan/nodes.ts'
import type { OffsetPaging, PlanNode } from '../plan/plan.ts'
import type { RestDefaults } from './rest-defaults.ts'

/**
 * Clamps the paging of a list to its bounds: a page below 1 is 1, a size over the maximum is the maximum,
 * `limit=-1` means the maximum, a negative start is 0. Source: docs/contract/reading.md#pagination.
 */
export function resolvePaging(raw: RawPagination, rest: RestDefaults): OffsetPaging {
  const withCount = raw.withCount ?? rest.withCount
  if (raw.kind === 'page') {
    const pageSize = Math.min(atLeastOne(raw.pageSize ?? rest.defaultLimit), rest.maxLimit)
    return pagePaging(atLeastOne(raw.page ?? 1), pageSize, withCount)
  }
  const limit =
    raw.limit === -1 ? rest.maxLimit : Math.min(atLeastOne(raw.limit ?? rest.defaultLimit), rest.maxLimit)
  return offsetPaging(Math.max(raw.start ?? 0, 0), limit, withCount)
}

export const sliceOf = (paging: OffsetPaging): NonNullable<PlanNode['slice']> =>
  paging.kind === 'page'
    ? { offset: offsetOf(paging.page, paging.pageSize), limit: paging.pageSize }
    : { offset: paging.start, limit: paging.limit }

/**
 * The part of each parent's list that a populated relation returns; a limit of `-1` returns all entries.
 * @param most Maximum entries of such a list; `Infinity` for no maximum.
 */
export function resolveChildSlice(
  raw: RawPagination | undefined,
  rest: RestDefaults,
  most: number,
): PlanNode['slice'] {
  const all = Number.isFinite(most) ? most : undefined
  if (!raw) return all === undefined ? undefined : { offset: 0, limit: all }
  if (raw.kind === 'page') {
    const pageSize = Math.min(atLeastOne(raw.pageSize ?? rest.defaultLimit), most)
    return { offset: offsetOf(atLeastOne(raw.page ?? 1), pageSize), limit: pageSize }
  }
  const limit = raw.limit === undefined || raw.limit === -1 ? all : Math.min(atLeastOne(raw.limit), most)
  return { offset: Math.max(raw.start ?? 0, 0), limit }
}

/** No list is so long, and a product beyond it is no bigint. */
const offsetOf = (page: number, pageSize: number): number =>
  Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)

const atLeastOne = (n: number): number => Math.max(n, 1)
