import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { mayRepeat } from './api.ts'

/**
 * The questions that pages have asked the API, with their answers. Answers under way may be older than the change that outdates them: they
 * are given up, and asked for again. The library does so only where it has an earlier answer.
 */
export class DeskQueries extends QueryClient {
  constructor() {
    super({
      defaultOptions: {
        queries: {
          staleTime: 10_000,
          retry: mayRepeat,
          // Browsers are wrong about connections at times: a request shows whether there is one.
          networkMode: 'always',
          refetchOnReconnect: true,
        },
      },
    })
  }

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<Key> = {},
    options?: InvalidateOptions,
  ): Promise<void> {
    // They are given up before this call returns: its promise only tells when the pages have heard of it.
    void this.cancelQueries<Key>({
      ...filters,
      predicate: (query) => query.state.data === undefined && filters.predicate?.(query) !== false,
    })
    return super.invalidateQueries(filters, options)
  }
}
