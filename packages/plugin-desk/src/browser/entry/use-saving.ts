import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FieldError } from '../../form/index.ts'
import type { OpenEntry, SaveOutcome, SaveState } from '../../wire/index.ts'
import { signedInAgain } from '../api.ts'
import type { ContentType } from '../model.ts'
import { type Texts, useText } from '../text/index.ts'
import { leadTo, type OpenParts } from './context.ts'

interface SavingParts {
  readonly type: ContentType
  readonly opened: OpenEntry
  readonly open: OpenParts
  readonly unfinished: ReadonlyMap<string, string>
  readonly onCreated: (id: number) => void
}

/** `publish` and `unpublish` save the changes together with the state. */
export type SaveKind = 'save' | 'publish' | 'unpublish'

/** An outcome without a save in words. */
export function wordsOf(
  { kind, ...outcome }: { kind: string; error?: { message: string } },
  text: Texts,
): string {
  switch (kind) {
    case 'missing':
      return text.gone
    case 'busy':
      return text.tooMany
    case 'refused':
      return text.failed(outcome.error?.message ?? '')
    default:
      return text.offline
  }
}

/** Saves an entry. A person whose session has ended signs in, and the save goes on. */
async function saved(opened: OpenEntry, state: SaveState): Promise<SaveOutcome> {
  for (;;) {
    const outcome = await opened.save(state)
    if (outcome.kind !== 'signed-out') return outcome
    await signedInAgain()
  }
}

export function useSaving(parts: SavingParts) {
  const { type, opened } = parts
  const { form } = opened
  const text = useText()
  const client = useQueryClient()
  const [entry, setEntry] = useState(opened.stored)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [merged, setMerged] = useState(false)
  const [failed, setFailed] = useState<SaveKind | undefined>()
  const running = useRef(false)

  const show = (errors: readonly FieldError[], kind: SaveKind): void => {
    form.setErrors(errors)
    setFailed(kind)
    leadTo({ form, open: parts.open }, form.errors()[0]?.key ?? '')
  }
  const take = (outcome: SaveOutcome, kind: SaveKind, wasNew: boolean): void => {
    setEntry(opened.stored)
    if (outcome.kind === 'overlaps') return
    if (outcome.kind === 'saved') {
      setMerged(outcome.merged === true)
      void client.invalidateQueries({ queryKey: ['list', type.uid] })
      if (wasNew && opened.id !== undefined && type.kind === 'collectionType') parts.onCreated(opened.id)
      return
    }
    const errors = outcome.kind === 'refused' ? errorsOf(outcome, text) : []
    if (errors.length > 0) show(errors, kind)
    else setProblem(wordsOf(outcome, text))
  }
  const save = async (kind: SaveKind): Promise<void> => {
    if (running.current) return
    setProblem('')
    setMerged(false)
    setFailed(undefined)
    const isDraft =
      type.hasDrafts && (kind === 'save' ? !entry?.attributes.publishedAt : kind === 'unpublish')
    const mistakes = [...form.check({ draft: isDraft }), ...unfinishedIn(parts)]
    if (mistakes.length > 0) return show(mistakes, kind)
    running.current = true
    setBusy(true)
    try {
      take(await saved(opened, stateOf(kind, isDraft && !entry)), kind, !entry)
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { entry, busy, problem, merged, failed, save }
}

export type Saving = ReturnType<typeof useSaving>

const unfinishedIn = ({ unfinished, opened }: SavingParts): readonly FieldError[] =>
  [...unfinished].flatMap(([key, message]) => (opened.form.find(key) ? [{ key, message }] : []))

function stateOf(kind: SaveKind, isNewDraft: boolean): SaveState {
  if (kind === 'publish') return { publishedAt: new Date().toISOString() }
  return kind === 'unpublish' || isNewDraft ? { publishedAt: null } : {}
}

/** The mistakes of a refusal at their fields, in words of the person. */
function errorsOf({ error, errors }: SaveOutcome & { kind: 'refused' }, text: Texts): readonly FieldError[] {
  return error.details?.code === 'desk/field'
    ? errors.map(({ key }) => ({ key, message: text.readOnlyIs }))
    : errors
}
