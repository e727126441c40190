/** Forms that are saved as a whole. When two people change the same role or layout, the second one is told of it, and chooses. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, ApiError, request } from './api.ts'
import { type Texts, useText } from './text/index.ts'
import { reasonOf, useAttempt } from './trouble.tsx'

/**
 * Reads what a form changes, with its version, when the form opens. It is not read again by itself: the form would then have another version than the one
 * that it shows.
 */
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

const words = (error: unknown, text: Texts): string =>
  isOtherVersion(error) ? text.changedMeanwhile : reasonOf(error, text)

const isOtherVersion = (error: unknown): boolean => error instanceof ApiError && error.status === 412

/**
 * Does what a person asks of a form, as `useAttempt`, and saves the version that the form shows.
 *
 * @param opened The answer that the form shows; `undefined` for a new role, for example.
 * @param onTheirs Opens the form again, with what is stored now.
 */
export function useVersion<T>(path: string, opened: Answer<T> | undefined, onTheirs: () => unknown) {
  const text = useText()
  const { attempt, trouble } = useAttempt(words)
  const [etag, setEtag] = useState(opened?.etag)
  const [isTaken, setTaken] = useState(false)
  /** Called when the form shows a version that is stored. */
  const shows = (answer: Pick<Answer<T>, 'etag'>): void => {
    setEtag(answer.etag)
    setTaken(false)
  }
  /** After a refusal, it takes the place of the version that is stored then, as the person has been told. @throws ApiError */
  const save = async (body: unknown): Promise<Answer<T>> => {
    const former = isTaken ? await request<T>('GET', path) : { etag }
    try {
      const answer = await request<T>('PUT', path, { body, etag: former.etag })
      shows(answer)
      return answer
    } catch (error) {
      setTaken(isOtherVersion(error))
      throw error
    }
  }
  const load = () => {
    // The button goes with this version of the form, and would take the focus along.
    document.getElementById('main')?.focus()
    onTheirs()
  }
  const withChoice = (
    <>
      {trouble}
      {isTaken && (
        <button type="button" className="button small" onClick={load}>
          {text.loadTheirs}
        </button>
      )}
    </>
  )
  return { attempt, trouble: withChoice, shows, save }
}
