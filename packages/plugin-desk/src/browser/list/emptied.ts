import { useEffect, useRef } from 'react'
import type { ListAnswer } from '../entries.ts'
import type { ListState } from './list-query.ts'

type Page = Pick<ListState, 'after' | 'before' | 'from'>

const firstPage: Page = { after: undefined, before: undefined, from: 0 }

/**
 * Leaves a page of a list whose entries have all been deleted: it has no cursors to others. The page before is shown in its place, or the
 * first one where the address was opened later.
 *
 * @param data The answer for the address; `undefined` until it is there.
 * @returns whether the page is about to be left
 */
export function useEmptied(
  data: ListAnswer | undefined,
  { after, before, from }: ListState,
  pageSize: number,
  onPage: (page: Page) => void,
): boolean {
  const cursor = useRef<string | null>(undefined)
  const isEmptied =
    data !== undefined && data.data.length === 0 && (after !== undefined || before !== undefined)
  useEffect(() => {
    if (data !== undefined && data.data.length > 0) cursor.current = data.meta.pagination.cursors?.before
    if (!isEmptied) return
    const to = before === undefined ? (cursor.current ?? undefined) : undefined
    cursor.current = undefined
    onPage(
      to === undefined ? firstPage : { after: undefined, before: to, from: Math.max(0, from - pageSize) },
    )
  })
  return isEmptied
}
