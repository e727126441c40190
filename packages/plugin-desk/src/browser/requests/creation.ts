import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { sameJson } from '../../form/index.ts'
import { isUnanswered, request } from './api.ts'

interface Lists<Item, List> {
  /** The key of the list that the page shows. */
  readonly queryKey: readonly unknown[]
  /** Where the list is asked for. */
  readonly path: string
  readonly items: (list: List) => readonly Item[]
}

interface Creation<Item, Result> {
  /** Identifies the request: another one makes something else. */
  readonly body: object
  readonly make: () => Promise<Result>
  /** Whether an item is what the body describes. */
  readonly isIt: (item: Item) => boolean
  /** Called for an item that a request without an answer has made. */
  readonly found: (item: Item) => Promise<Result>
}

/**
 * Makes something once. After a request without an answer, another try first looks for what the server has made of that request: an item that the
 * list did not have before.
 */
export function useCreation<Item extends { readonly id: number }, List = readonly Item[]>({
  queryKey,
  path,
  items,
}: Lists<Item, List>) {
  const client = useQueryClient()
  /** The items that are there before the first attempt; `undefined` where the server refuses the list. @throws ApiError */
  const knownOf = async (): Promise<ReadonlySet<number> | undefined> => {
    try {
      // A page may be quicker than the answer with its list.
      const list = client.getQueryData<List>(queryKey) ?? (await request<List>('GET', path)).body
      return new Set(items(list).map(({ id }) => id))
    } catch (error) {
      if (isUnanswered(error)) throw error
      return undefined
    }
  }
  const lost = useRef<{ readonly body: object; readonly known: ReadonlySet<number> }>(undefined)
  /** @throws ApiError */
  return async <Result>({ body, make, isIt, found }: Creation<Item, Result>): Promise<Result> => {
    const before = lost.current
    if (before && sameJson(before.body, body)) {
      const all = items((await request<List>('GET', path)).body)
      const item = all.find((one) => !before.known.has(one.id) && isIt(one))
      if (item) {
        const result = await found(item)
        lost.current = undefined
        return result
      }
    }
    const known = before?.known ?? (await knownOf())
    try {
      const result = await make()
      lost.current = undefined
      return result
    } catch (error) {
      // Without the list, what was there before cannot be told from what is new.
      if (isUnanswered(error) && known) lost.current = { body, known }
      throw error
    }
  }
}
