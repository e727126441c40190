import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, request } from '../api.ts'
import type { ContentType } from '../model.ts'
import { type Texts, useText } from '../text/index.ts'
import { reasonOf } from '../trouble.tsx'

/** Time in which a deletion can be taken back, in milliseconds. */
const delay = 8_000

/** The value that an entry has before a change. */
export interface Former {
  readonly id: number
  readonly value: unknown
}

export interface Bulk {
  /** Entries that are about to be deleted, and are shown no longer. */
  readonly hidden: ReadonlySet<number>
  readonly message: string
  readonly undo: (() => void) | undefined
  readonly busy: boolean
  /** Gives entries a value for a field. @param former The entries with the values that an undo gives back. */
  setField(name: string, value: unknown, former: readonly Former[]): Promise<void>
  remove(ids: readonly number[]): void
}

interface Told {
  readonly message: string
  readonly undo: (() => void) | undefined
}

/**
 * Sends a request for each entry. `problem`: why some could not be changed, in words; else empty.
 *
 * @param isLeaving Whether the page is about to close: it sends nothing after the first answer. Default false.
 */
async function each(
  text: Texts,
  ids: readonly number[],
  send: (id: number) => Promise<unknown>,
  isLeaving = false,
) {
  let reason = ''
  const done: number[] = []
  const one = async (id: number) => {
    try {
      await send(id)
      done.push(id)
    } catch (error) {
      reason = error instanceof ApiError && !error.isPassing ? error.message : reasonOf(error, text)
    }
  }
  if (isLeaving) await Promise.all(ids.map(one))
  else for (const id of ids) await one(id)
  const failed = ids.length - done.length
  return { done, problem: failed > 0 ? text.someFailed(failed, reason) : '' }
}

/** Actions for several entries. Deletions wait for a moment in which they can be undone; leaving the page carries them out. */
export function useBulk(type: ContentType): Bulk {
  const text = useText()
  const client = useQueryClient()
  const [{ message, undo }, setTold] = useState<Told>({ message: '', undo: undefined })
  const [busy, setBusy] = useState(false)
  const path = `content/${type.route}`
  const tell = (words: string, back?: () => void) => setTold({ message: words, undo: back })
  const refresh = () => client.invalidateQueries({ queryKey: ['list', type.uid] })

  const { hidden, remove } = useDeletion({
    carryOut: async (ids, keepalive) => {
      const send = (id: number) => request('DELETE', `${path}/${id}`, { keepalive })
      const { problem } = await each(text, ids, send, keepalive)
      tell(problem)
      await refresh()
    },
    onBegin: (ids, back) =>
      tell(text.deleted(ids.length), () => {
        back()
        tell('')
      }),
  })
  const setField = async (name: string, value: unknown, former: readonly Former[]): Promise<void> => {
    setBusy(true)
    // An undo leaves entries alone that somebody else has changed meanwhile.
    const versions = new Map<number, string | undefined>()
    const { done, problem } = await each(
      text,
      former.map(({ id }) => id),
      async (id) => {
        const { etag } = await request('PUT', `${path}/${id}`, { body: { data: { [name]: value } } })
        versions.set(id, etag)
      },
    )
    const undoAll = async () => {
      setBusy(true)
      const before = new Map(former.map((one) => [one.id, one.value]))
      const back = await each(text, done, (id) =>
        request('PUT', `${path}/${id}`, {
          body: { data: { [name]: before.get(id) } },
          etag: versions.get(id),
        }),
      )
      await refresh()
      setBusy(false)
      tell(back.problem)
    }
    await refresh()
    // With the message, so that a next action never has its own replaced by this one.
    setBusy(false)
    const wordsOf =
      name !== 'publishedAt' ? text.changedMany : value === null ? text.unpublishedMany : text.publishedMany
    const words = done.length > 0 ? [wordsOf(done.length)] : []
    tell([...words, problem].join(' ').trim(), done.length > 0 ? () => void undoAll() : undefined)
  }
  return { hidden, message, undo, busy, setField, remove }
}

interface DeletionParts {
  readonly carryOut: (ids: readonly number[], keepalive: boolean) => Promise<void>
  readonly onBegin: (ids: readonly number[], undo: () => void) => void
}

function useDeletion({ carryOut, onBegin }: DeletionParts) {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const pending = useRef<{ readonly ids: readonly number[]; readonly timer: number } | undefined>(undefined)

  /** Carries out what is pending now. */
  const flush = async (keepalive = false): Promise<void> => {
    const { ids, timer } = pending.current ?? {}
    if (!ids) return
    clearTimeout(timer)
    pending.current = undefined
    await carryOut(ids, keepalive)
    setHidden((now) => new Set([...now].filter((id) => !ids.includes(id))))
  }
  const remove = (ids: readonly number[]): void => {
    void flush()
    setHidden(new Set(ids))
    const timer = window.setTimeout(() => void flush(), delay)
    pending.current = { ids, timer }
    onBegin(ids, () => {
      clearTimeout(timer)
      pending.current = undefined
      setHidden(new Set())
    })
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
  return { hidden, remove }
}
