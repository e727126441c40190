import { useEffect, useRef, useState } from 'react'
import { useText } from '../text/index.ts'

/** A sentence about an action, which may be taken back. */
export interface Told {
  readonly message: string
  readonly undo?: (() => void) | undefined
}

/** Time in which a deletion can be taken back, in milliseconds. */
const delay = 8_000

/**
 * A deletion that waits for a moment in which it can be undone. Entries that are deleted meanwhile join it, so that one press takes back
 * all that was not carried out.
 *
 * @param carryOut Deletes the entries. Its `keepalive` says that the page is left. Returns why some could not be deleted; else an empty text.
 */
export function useDeletion(carryOut: (ids: readonly number[], keepalive: boolean) => Promise<string>) {
  const text = useText()
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [count, setCount] = useState(0)
  const [problem, setProblem] = useState('')
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
  const last = useRef(flush)
  last.current = flush
  useEffect(() => {
    const leave = () => void last.current(true)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  const told: readonly Told[] = [
    ...(problem === '' ? [] : [{ message: problem }]),
    ...(count === 0 ? [] : [{ message: text.deleted(count), undo: () => show(take()) }]),
  ]
  return { hidden, remove, told }
}
