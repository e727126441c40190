import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, request } from '../api.ts'
import type { ContentType } from '../model.ts'
import { useText } from '../text/index.ts'

/** Time in which a deletion can be taken back, in milliseconds. */
const delay = 8_000

export interface Bulk {
  /** Entries that are about to be deleted, and are shown no longer. */
  readonly hidden: ReadonlySet<number>
  readonly message: string
  readonly undo: (() => void) | undefined
  readonly busy: boolean
  publish(ids: readonly number[], isPublished: boolean): Promise<void>
  remove(ids: readonly number[]): void
}

/** Actions for several entries. Deletions wait for a moment in which they can be undone; leaving the page carries them out. */
export function useBulk(type: ContentType): Bulk {
  const text = useText()
  const client = useQueryClient()
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [message, setMessage] = useState('')
  const [undo, setUndo] = useState<(() => void) | undefined>()
  const [busy, setBusy] = useState(false)
  const pending = useRef<{ readonly ids: readonly number[]; readonly timer: number } | undefined>(undefined)

  const path = `content/${type.route}`
  const refresh = () => client.invalidateQueries({ queryKey: ['list', type.uid] })
  const say = (words: string, back?: () => void) => {
    setMessage(words)
    setUndo(() => back)
  }

  const each = async (ids: readonly number[], send: (id: number) => Promise<unknown>) => {
    let reason = ''
    const done: number[] = []
    for (const id of ids) {
      try {
        await send(id)
        done.push(id)
      } catch (error) {
        reason = error instanceof ApiError ? error.message : ''
      }
    }
    return { done, failed: ids.length - done.length, reason }
  }

  const publish = async (ids: readonly number[], isPublished: boolean): Promise<void> => {
    setBusy(true)
    const publishedAt = isPublished ? new Date().toISOString() : null
    const { done, failed, reason } = await each(ids, (id) =>
      request('PUT', `${path}/${id}`, { body: { data: { publishedAt } } }),
    )
    setBusy(false)
    await refresh()
    if (failed > 0) say(text.someFailed(failed, reason))
    else
      say(
        isPublished ? text.publishedMany(done.length) : text.unpublishedMany(done.length),
        () => void publish(done, !isPublished).then(() => say('')),
      )
  }

  const carryOut = async (ids: readonly number[], keepalive = false): Promise<void> => {
    pending.current = undefined
    const { failed, reason } = await each(ids, (id) => request('DELETE', `${path}/${id}`, { keepalive }))
    if (failed > 0) say(text.someFailed(failed, reason))
    else say('')
    await refresh()
    setHidden(new Set())
  }

  const remove = (ids: readonly number[]): void => {
    if (pending.current) {
      clearTimeout(pending.current.timer)
      void carryOut(pending.current.ids)
    }
    setHidden(new Set(ids))
    const timer = window.setTimeout(() => void carryOut(ids), delay)
    pending.current = { ids, timer }
    say(text.deleted(ids.length), () => {
      clearTimeout(timer)
      pending.current = undefined
      setHidden(new Set())
      say('')
    })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is pending is carried out once, when the list goes away
  useEffect(() => {
    const leave = () => {
      if (!pending.current) return
      clearTimeout(pending.current.timer)
      void carryOut(pending.current.ids, true)
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return { hidden, message, undo, busy, publish, remove }
}
