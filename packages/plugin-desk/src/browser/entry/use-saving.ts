import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Form, type GroupValue, keyNamed, placeErrors, readEntry } from '../../form/index.ts'
import { ApiError } from '../api.ts'
import type { Entry } from '../entries.ts'
import { reasonOf } from '../sign-in.tsx'
import { useText } from '../text/index.ts'
import { leadTo, type OpenParts } from './context.ts'
import { dropCopy, keepCopy, withoutSecrets } from './local-copy.ts'
import { create, type EntryPlace, type Stored, update } from './requests.ts'

interface SavingParts extends EntryPlace {
  readonly open: OpenParts
  readonly unfinished: ReadonlyMap<string, string>
  readonly stored: Stored
  readonly copy: string
  readonly onCreated: (id: number) => void
}

/** `publish` and `unpublish` save the changes together with the state. */
export type SaveKind = 'save' | 'publish' | 'unpublish'

/** Keeps what is not saved on this device, half a second after the last change. @returns a function that forgets it */
function useLocalCopy(form: Form, copy: string): () => void {
  const isAbandoned = useRef(false)
  useEffect(() => {
    let timer = 0
    const keep = () => {
      if (isAbandoned.current) return
      if (!form.isChanged) return dropCopy(copy)
      keepCopy(copy, { base: form.base, mine: withoutSecrets(form.model, form.value()), at: Date.now() })
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
  return () => {
    isAbandoned.current = true
    dropCopy(copy)
  }
}

/** Saves an entry, with the version that it changes. */
export function useSaving(parts: SavingParts) {
  const { type, form, copy } = parts
  const text = useText()
  const client = useQueryClient()
  const [stored, setStored] = useState(parts.stored)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [merged, setMerged] = useState(false)
  const [failed, setFailed] = useState<SaveKind | undefined>()
  const running = useRef(false)
  const abandon = useLocalCopy(form, copy)

  const take = (
    answer: { body: { data: Entry }; etag: string | undefined },
    sent: GroupValue | undefined,
  ) => {
    if (sent) form.saved(sent, readEntry(form.model, type.uid, answer.body.data))
    setStored({ entry: answer.body.data, etag: answer.etag })
    void client.invalidateQueries({ queryKey: ['list', type.uid] })
  }
  const send = async (state: object): Promise<void> => {
    if (stored.entry) {
      const { answer, sent, isMerged } = await update(parts, stored, state)
      setMerged(isMerged)
      return take(answer, sent)
    }
    const sent = form.value()
    const made = await create(parts, state)
    if (typeof made !== 'number') return take(made, sent)
    // The new entry is loaded at its own address.
    abandon()
    void client.invalidateQueries({ queryKey: ['list', type.uid] })
    parts.onCreated(made)
  }
  const show = (errors: Parameters<Form['setErrors']>[0], kind: SaveKind): void => {
    form.setErrors(errors)
    setFailed(kind)
    leadTo(parts, form.errors()[0]?.key ?? '')
  }
  const save = async (kind: SaveKind): Promise<void> => {
    if (running.current) return
    setProblem('')
    setMerged(false)
    setFailed(undefined)
    const isDraft =
      type.hasDrafts && (kind === 'save' ? !stored.entry?.attributes.publishedAt : kind === 'unpublish')
    const mistakes = [...form.check({ draft: isDraft }), ...unfinishedIn(parts)]
    if (mistakes.length > 0) return show(mistakes, kind)
    running.current = true
    setBusy(true)
    const sent = form.value()
    try {
      await send(stateOf(kind, isDraft && !stored.entry))
    } catch (error) {
      const errors = errorsOf(error, sent, text.readOnlyIs)
      if (errors.length > 0) show(errors, kind)
      else setProblem(reasonOf(error, text))
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { stored, busy, problem, merged, failed, save, abandon }
}

export type Saving = ReturnType<typeof useSaving>

const unfinishedIn = ({ unfinished, form }: SavingParts) =>
  [...unfinished].flatMap(([key, message]) => (form.find(key) ? [{ key, message }] : []))

function stateOf(kind: SaveKind, isNewDraft: boolean): object {
  if (kind === 'publish') return { publishedAt: new Date().toISOString() }
  return kind === 'unpublish' || isNewDraft ? { publishedAt: null } : {}
}

/** The mistakes of a refusal at their fields. */
function errorsOf(error: unknown, sent: GroupValue, notAllowed: string) {
  if (!(error instanceof ApiError)) return []
  const named = error.code === 'desk/field' ? /"([^"]+)"/.exec(error.message)?.[1] : undefined
  return named === undefined
    ? placeErrors(sent, error.mistakes)
    : [{ key: keyNamed(sent, named), message: notAllowed }]
}
