import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Form, type GroupValue, keyNamed, placeErrors, readEntry } from '../../form/index.ts'
import { ApiError, request } from '../api.ts'
import type { Entry } from '../entries.ts'
import type { ContentType, Model } from '../model.ts'
import { reasonOf } from '../sign-in.tsx'
import { useText } from '../text/index.ts'
import { leadTo, type OpenParts } from './context.ts'
import { entryQuery } from './entry-query.ts'
import { dropCopy, keepCopy } from './local-copy.ts'

export interface Stored {
  readonly entry: Entry | undefined
  readonly etag: string | undefined
}

interface SavingParts {
  readonly type: ContentType
  readonly model: Model
  readonly form: Form
  readonly open: OpenParts
  readonly unfinished: ReadonlyMap<string, string>
  readonly stored: Stored
  /** The language of a new entry. */
  readonly locale: string | undefined
  /** The entry of which a new one is another language. */
  readonly origin: string | undefined
  readonly copy: string
  readonly onCreated: (id: number) => void
}

/** `publish` and `unpublish` save the changes together with the state. */
export type SaveKind = 'save' | 'publish' | 'unpublish'

/** Saves an entry by the smallest request, with the version that it changes. */
export function useSaving(parts: SavingParts) {
  const { type, model, form, copy } = parts
  const text = useText()
  const client = useQueryClient()
  const [stored, setStored] = useState(parts.stored)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [merged, setMerged] = useState(false)
  const [failed, setFailed] = useState<SaveKind | undefined>()
  const running = useRef(false)

  // The local copy, half a second after the last change.
  useEffect(() => {
    let timer = 0
    const keep = () => {
      if (form.isChanged) keepCopy(copy, { base: form.base, mine: form.value(), at: Date.now() })
      else dropCopy(copy)
    }
    const end = form.subscribeSummary('', () => {
      clearTimeout(timer)
      timer = window.setTimeout(keep, 500)
    })
    window.addEventListener('pagehide', keep)
    return () => {
      end()
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [form, copy])

  const take = (answer: { readonly body: { readonly data: Entry }; readonly etag: string | undefined }, sent: GroupValue) => {
    form.saved(sent, readEntry(form.model, type.uid, answer.body.data))
    setStored({ entry: answer.body.data, etag: answer.etag })
    dropCopy(copy)
    void client.invalidateQueries({ queryKey: ['list', type.uid] })
  }

  const create = async (state: object, sent: GroupValue): Promise<void> => {
    const query = entryQuery(type, model)
    const data = { ...form.createBody(), ...(parts.locale !== undefined && { locale: parts.locale }), ...state }
    const path = `content/${type.route}`
    let id: number
    if (type.kind === 'singleType') {
      take(await request<{ data: Entry }>('PUT', path, { query, body: { data } }), sent)
      return
    }
    if (parts.origin === undefined)
      id = (await request<{ data: Entry }>('POST', path, { query, body: { data } })).body.data.id
    else id = (await request<{ id: number }>('POST', `${path}/${parts.origin}/localizations`, { body: data })).body.id
    form.saved(sent, form.value())
    dropCopy(copy)
    void client.invalidateQueries({ queryKey: ['list', type.uid] })
    parts.onCreated(id)
  }

  const update = async (id: number, state: object, sent: GroupValue, attempt = 0): Promise<boolean> => {
    const body = { data: { ...form.updateBody(), ...state } }
    const path = type.kind === 'singleType' ? `content/${type.route}` : `content/${type.route}/${id}`
    const query = entryQuery(type, model)
    try {
      const etag = attempt === 0 ? stored.etag : (latest.current ?? stored.etag)
      take(await request<{ data: Entry }>('PUT', path, { query, body, etag }), sent)
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || attempt > 3) throw error
      const theirs = await request<{ data: Entry }>('GET', path, { query })
      latest.current = theirs.etag
      setStored({ entry: theirs.body.data, etag: theirs.etag })
      setMerged(true)
      const overlaps = form.receive(readEntry(form.model, type.uid, theirs.body.data))
      // Where both have changed the same, a person decides first.
      return overlaps.length > 0 ? false : update(id, state, form.value(), attempt + 1)
    }
  }
  const latest = useRef<string | undefined>(undefined)

  const refuse = (error: unknown, sent: GroupValue, kind: SaveKind): void => {
    if (!(error instanceof ApiError)) throw error
    const named = error.code === 'desk/field' ? /"([^"]+)"/.exec(error.message)?.[1] : undefined
    const errors =
      named === undefined
        ? placeErrors(sent, error.mistakes)
        : [{ key: keyNamed(sent, named), message: text.readOnly }]
    if (errors.length === 0) return setProblem(reasonOf(error, text))
    form.setErrors(errors)
    setFailed(kind)
    leadTo(parts, form.errors()[0]?.key ?? '')
  }

  const save = async (kind: SaveKind): Promise<void> => {
    if (running.current) return
    setProblem('')
    setMerged(false)
    const state = kind === 'save' ? {} : { publishedAt: kind === 'publish' ? new Date().toISOString() : null }
    const isNew = stored.entry === undefined
    const isDraft = type.hasDrafts && (kind === 'unpublish' || (kind === 'save' && !stored.entry?.attributes.publishedAt))
    const errors = [
      ...form.check({ draft: isDraft }),
      ...[...parts.unfinished].map(([key, message]) => ({ key, message })),
    ]
    if (errors.length > 0) {
      form.setErrors(errors)
      setFailed(kind)
      return leadTo(parts, form.errors()[0]?.key ?? '')
    }
    setFailed(undefined)
    running.current = true
    setBusy(true)
    const sent = form.value()
    try {
      if (isNew) await create(isDraft ? { publishedAt: null, ...state } : state, sent)
      else await update(stored.entry?.id ?? 0, state, sent)
    } catch (error) {
      refuse(error, sent, kind)
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { stored, busy, problem, merged, failed, save }
}

export type Saving = ReturnType<typeof useSaving>
