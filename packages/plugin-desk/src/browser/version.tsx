/** Forms that change what a path holds: of two people who change the same, the second one is told of it, and chooses. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, ApiError, request } from './api.ts'
import { useText } from './text/index.ts'

/** What a path holds while its form opens, with its version. It is not read again by itself, as the form would have another version than it shows. */
export const useOpened = <T,>(path: string | undefined): UseQueryResult<Answer<T>> =>
  useQuery({
    queryKey: ['opened', path],
    queryFn: ({ signal }) => request<T>('GET', path ?? '', { signal }),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })

/**
 * @param opened The answer that the form shows; `undefined` for what does not exist yet.
 * @param onTheirs Opens the form again, with what is stored now.
 */
export function useVersion<T>(path: string, opened: Answer<T> | undefined, onTheirs: () => unknown) {
  const text = useText()
  const [etag, setVersion] = useState(opened?.etag)
  const [isTaken, setTaken] = useState(false)
  const put = async (body: unknown, mine: Pick<Answer<T>, 'etag'>): Promise<Answer<T>> => {
    try {
      const answer = await request<T>('PUT', path, { body, etag: mine.etag })
      setVersion(answer.etag)
      setTaken(false)
      return answer
    } catch (error) {
      setTaken(error instanceof ApiError && error.status === 412)
      throw error
    }
  }
  const load = () => {
    // The button goes with this version of the form, and would take the focus along.
    document.getElementById('main')?.focus()
    onTheirs()
  }
  return {
    setVersion,
    /** Changes the version that the form shows; after a refusal the one of today, as the person has been told. @throws ApiError */
    save: async (body: unknown): Promise<Answer<T>> =>
      put(body, isTaken ? await request<T>('GET', path) : { etag }),
    /** Stands below the sentence that somebody else has changed it. */
    choice: isTaken && (
      <button type="button" className="button small" onClick={load}>
        {text.loadTheirs}
      </button>
    ),
  }
}
