import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Entry, ListAnswer } from '../model/entries.ts'
import { lookOf } from '../model/layout.ts'
import { mistakesInWords } from '../model/mistake-words.ts'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { knownReason, reasonOf } from '../page-parts/trouble.tsx'
import { useUnsaved } from '../page-parts/unsaved.ts'
import { ApiError, isUnanswered, remove as removeAt, request } from '../requests/api.ts'
import { entriesChanged } from '../requests/changes.ts'
import { type Texts, useText } from '../text/index.ts'
import { type Told, useDeletion } from './use-deletion.ts'

/** The value that an entry has before a change. */
export interface Former {
  readonly id: number
  readonly value: unknown
}

export interface Bulk {
  /** Entries that are about to be deleted, and are shown no longer. */
  readonly hidden: ReadonlySet<number>
  /** About the deletion that can be undone, deletions that failed, and the last change. */
  readonly told: readonly Told[]
  readonly busy: boolean
  /**
   * Gives entries a value for a field. It reads the values for an undo first, because those on the page may be out of date.
   *
   * @param isMeant Whether to change an entry that has this value now.
   * @returns the entries that could not be changed
   */
  setField(
    name: string,
    value: unknown,
    ids: readonly number[],
    isMeant: (present: unknown) => boolean,
  ): Promise<readonly number[]>
  remove(ids: readonly number[]): void
}

/** The present values of a field. Entries that are not there any more are left out. */
export async function presentValues(
  type: ContentType,
  name: string,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<readonly Former[]> {
  const query = {
    publicationState: 'preview',
    ...(type.isLocalized && { locale: 'all' }),
    fields: [name],
    filters: { id: { $in: ids } },
    pagination: { pageSize: 100, withCount: false },
  }
  const { body } = await request<ListAnswer>('GET', `content/${type.route}`, {
    query,
    ...(signal && { signal }),
  })
  return body.data.map((entry) => ({ id: entry.id, value: entry.attributes[name] ?? null }))
}

/** Sends a request that does nothing twice, and once more where its answer is lost: the server may have done what it asks. */
async function surely(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!isUnanswered(error)) throw error
    await send()
  }
}

/**
 * Sends a request for each entry. `problem`: why some could not be changed, in words; else empty.
 *
 * @param isLeaving Whether the page is about to close: it sends nothing after the first answer. Default false.
 */
async function each(
  { text, labelOf }: InWords,
  ids: readonly number[],
  send: (id: number) => Promise<unknown>,
  isLeaving = false,
) {
  let reason = ''
  const done: number[] = []
  const failed: number[] = []
  const one = async (id: number) => {
    try {
      await (isLeaving ? send(id) : surely(() => send(id)))
      done.push(id)
    } catch (error) {
      failed.push(id)
      reason = wordsOf(error, { text, labelOf })
    }
  }
  if (isLeaving) await Promise.all(ids.map(one))
  else for (const id of ids) await one(id)
  return { done, failed, problem: failed.length > 0 ? text.someFailed(failed.length, reason) : '' }
}

interface InWords {
  readonly text: Texts
  /** The name of an attribute in words. */
  readonly labelOf: (name: string) => string
}

/** Why an entry could not be changed. */
function wordsOf(error: unknown, { text, labelOf }: InWords): string {
  if (error instanceof ChangedMeanwhile || (error instanceof ApiError && error.status === 412))
    return text.changedBySomebody
  if (!(error instanceof ApiError)) return reasonOf(error, text)
  if (error.mistakes.length > 0) return mistakesInWords(error.mistakes, text, labelOf)
  return knownReason(error, text) ?? (error.message || reasonOf(error, text))
}

/** Thrown in place of a request that would take back what somebody else has written. */
class ChangedMeanwhile extends Error {}

interface OneEntry {
  readonly data: Entry
}

/**
 * Gives entries back their former values, unless somebody else has written the field since: the current value on the server is
 * compared to the value after the change, and the request is valid for this version only.
 */
function givesBack(
  path: string,
  name: string,
  former: readonly Former[],
  given: ReadonlyMap<number, unknown>,
) {
  const before = new Map(former.map((one) => [one.id, one.value]))
  const query = { publicationState: 'preview', fields: [name] }
  return async (id: number): Promise<void> => {
    const { body, etag } = await request<OneEntry>('GET', `${path}/${id}`, { query })
    const [now, former] = [body.data.attributes[name] ?? null, before.get(id)]
    // An attempt whose answer was lost may have given it back.
    if (now === former) return
    if (now !== given.get(id)) throw new ChangedMeanwhile()
    await request('PUT', `${path}/${id}`, { query, body: { data: { [name]: former } }, etag })
  }
}

/** Actions for several entries. Deletions wait for a moment in which they can be undone; leaving the page carries them out. */
export function useBulk(type: ContentType): Bulk {
  const text = useText()
  const { model } = useSession()
  const words: InWords = { text, labelOf: (name) => lookOf(model, type.uid, name).label }
  const client = useQueryClient()
  const [change, tell] = useState<Told>()
  const [busy, setBusy] = useState(false)
  const isUndoing = useRef(false)
  const path = `content/${type.route}`
  const refresh = () => entriesChanged(client)

  const { hidden, remove, told } = useDeletion(type.uid, async (ids, keepalive) => {
    const { problem } = await each(words, ids, (id) => removeAt(`${path}/${id}`, { keepalive }), keepalive)
    await refresh()
    return problem
  })
  const undoAll = async (work: () => Promise<{ readonly problem: string }>) => {
    if (isUndoing.current) return
    isUndoing.current = true
    tell(undefined)
    setBusy(true)
    const { problem } = await work()
    await refresh()
    isUndoing.current = false
    setBusy(false)
    tell({ message: problem })
  }
  useUnsaved(() => busy, text.leaveBulk)
  const setField: Bulk['setField'] = async (name, value, ids, isMeant) => {
    tell(undefined)
    setBusy(true)
    const present = await presentValues(type, name, ids).catch((error: unknown) => {
      setBusy(false)
      tell({ message: text.someFailed(ids.length, wordsOf(error, words)) })
    })
    if (!present) return ids
    const former = present.filter((one) => isMeant(one.value))
    const left = new Set(present.filter((one) => !isMeant(one.value)).map(({ id }) => id))
    /** The values as the server has them after the change, which may be written in another way. */
    const given = new Map<number, unknown>()
    const { done, failed, problem } = await each(
      words,
      // The server refuses an entry that was deleted meanwhile, with the reason.
      ids.filter((id) => !left.has(id)),
      async (id) => {
        const { body } = await request<OneEntry>('PUT', `${path}/${id}`, {
          query: { publicationState: 'preview', fields: [name] },
          body: { data: { [name]: value } },
        })
        given.set(id, body.data.attributes[name] ?? null)
      },
    )
    await refresh()
    // With the message, so that a next action never has its own replaced by this one.
    setBusy(false)
    const changed =
      name !== 'publishedAt' ? text.changedMany : value === null ? text.unpublishedMany : text.publishedMany
    const first = done.length > 0 || failed.length === 0 ? [changed(done.length)] : []
    const undo = () => void undoAll(() => each(words, done, givesBack(path, name, former, given)))
    tell({ message: [...first, problem].join(' ').trim(), undo: done.length > 0 ? undo : undefined })
    return failed
  }
  return { hidden, told: change ? [...told, change] : told, busy, setField, remove }
}
