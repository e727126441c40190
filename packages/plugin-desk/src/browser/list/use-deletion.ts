import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { putsOff } from '../page-parts/put-off.ts'
import { useText } from '../text/index.ts'

/** A sentence about an action, which may be taken back. */
export interface Told {
  readonly message: string
  readonly undo?: (() => void) | undefined
}

/** Time in which a deletion can be taken back, in milliseconds. */
const delay = 8_000

/** Why entries of a list could not be deleted; empty: all were. It outlives the page, since leaving it carries out what is pending. */
function useProblem(list: string) {
  const client = useQueryClient()
  const queryKey = ['undeleted', list]
  const { data } = useQuery({ queryKey, queryFn: () => '', enabled: false, gcTime: Number.POSITIVE_INFINITY })
  return { problem: data ?? '', setProblem: (words: string) => void client.setQueryData(queryKey, words) }
}

/**
 * A deletion that waits for a moment in which it can be undone. Entries that are deleted meanwhile join it, so that one press takes back
 * all that was not carried out.
 *
 * @param list Names the list.
 * @param carryOut Deletes the entries. Its `keepalive` says that the page is left. Returns why some could not be deleted; else an empty text.
 */
export function useDeletion(
  list: string,
  carryOut: (ids: readonly number[], keepalive: boolean) => Promise<string>,
) {
  const text = useText()
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [count, setCount] = useState(0)
  const { problem, setProblem } = useProblem(list)
  const pending = useRef<{ readonly ids: readonly number[]; readonly timer: number } | undefined>(undefined)

  const show = (ids: readonly number[]) =>
    setHidden((now) => new Set([...now].filter((id) => !ids.includes(id))))
  /** Takes what is pending out of its wait. */
  const take = (): readonly number[] => {
    const { ids = [], timer } = pending.current ?? {}
    clearTimeout(timer)
    pending.current = undefined
    setCount(0)
    return ids
  }
  /** Carries out what is pending now. */
  const flush = async (keepalive = false): Promise<void> => {
    const ids = take()
    if (ids.length === 0) return
    setProblem(await carryOut(ids, keepalive))
    show(ids)
  }
  const remove = (added: readonly number[]): void => {
    const ids = [...take(), ...added]
    setProblem('')
    setHidden((now) => new Set([...now, ...added]))
    setCount(ids.length)
    pending.current = { ids, timer: window.setTimeout(() => void flush(), delay) }
  }
  const last = useRef({ flush, setProblem })
  last.current = { flush, setProblem }
  useEffect(() => {
    const leave = () => void last.current.flush(true)
    window.addEventListener('pagehide', leave)
    const end = putsOff(() => last.current.flush())
    return () => {
      end()
      window.removeEventListener('pagehide', leave)
      // It was shown; the end of the present deletion may have another one.
      last.current.setProblem('')
      leave()
    }
  }, [])
  const told: readonly Told[] = [
    ...(problem === '' ? [] : [{ message: problem }]),
    ...(count === 0 ? [] : [{ message: text.deleted(count), undo: () => show(take()) }]),
  ]
  return { hidden, remove, told }
}
