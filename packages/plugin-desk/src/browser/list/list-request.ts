/** The request of a list, which the page and the desk before it make in one way. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ListAnswer } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import type { SignedIn } from '../model/session.tsx'
import { request } from '../requests/api.ts'
import { type Column, filtersOf, type ListState, queryOf, stateOf } from './list-query.ts'
import { firstColumns } from './use-columns.ts'

/** The entries of a page of the list. */
export function listRequest(
  type: ContentType,
  session: SignedIn,
  columns: readonly Column[],
  state: ListState,
) {
  const query = queryOf(type, session, columns, state)
  const filters = filtersOf(state, session.me.person.id)
  return queryOptions({
    queryKey: ['list', type.uid, query, filters],
    queryFn: async ({ signal }): Promise<ListAnswer> =>
      (await request<ListAnswer>('GET', `content/${type.route}`, { query, filters, signal })).body,
    placeholderData: keepPreviousData,
  })
}

/** Asks for the first entries of a list before its page is drawn, which takes a slow machine as long as the answer. */
export function askList(client: QueryClient, type: ContentType, session: SignedIn, search: string): void {
  void client.prefetchQuery(listRequest(type, session, firstColumns(type, session.me), stateOf(search)))
}
