import { useEffect, useRef } from 'react'
import type { ListAnswer } from '../model/entries.ts'
import { ApiError } from '../requests/api.ts'
import type { ListState } from './list-query.ts'

type Page = Pick<ListState, 'after' | 'before' | 'from'>

const firstPage: Page = { after: undefined, before: undefined, from: 0 }

/**
 * Leaves a page of a list whose entries have all been deleted: it has no cursors to others. The page before is shown in its place, or the
 * first one where the address was opened later, or has a cursor that the server refuses, as after the order of the list was changed for all.
 *
 * @param data The answer for the address; `undefined` until it is there.
 * @param error The refusal of the request.
 * @returns whether the page is about to be left
 */
export function useEmptied(
  data: ListAnswer | undefined,
  error: unknown,
  { after, before, from }: ListState,
  pageSize: number,
  onPage: (page: Page) => void,
): boolean {
  const cursor = useRef<string | null>(undefined)
  const isRefused = error instanceof ApiError && error.code === 'query/bad-cursor'
  const isEmptied = (isRefused || data?.data.length === 0) && (after ?? before) !== undefined
  useEffect(() => {
    if (data !== undefined && data.data.length > 0) cursor.current = data.meta.pagination.cursors?.before
    if (!isEmptied) return
    const to = before === undefined && !isRefused ? (cursor.current ?? undefined) : undefined
    cursor.current = undefined
    onPage(
      to === undefined ? firstPage : { after: undefined, before: to, from: Math.max(0, from - pageSize) },
    )
  })
  return isEmptied
}
