/** Sentences about a save that was stored together with changes of others. */
import { useCallback, useSyncExternalStore } from 'react'
import type { Form } from '../../form/index.ts'
import type { EntryData, OpenEntry, SaveOutcome } from '../../wire/index.ts'

/** Changes of others to an entry before it was saved, of which the person is told until the form is changed. */
export interface News {
  readonly isMerged: boolean
  readonly isUnpublished: boolean
  /** The version of the form after the save. */
  readonly version: number
}

/** @param isPlain Whether the save had only the fields: the person has neither published nor unpublished the entry. */
export const newsOf = (
  { merged = false }: SaveOutcome & { kind: 'saved' },
  isPlain: boolean,
  before: EntryData | undefined,
  { stored, form }: OpenEntry,
): News => ({
  isMerged: merged,
  isUnpublished: isPlain && Boolean(before?.attributes.publishedAt) && !stored?.attributes.publishedAt,
  version: form.summary('').version,
})

/** The news as long as the form is as it was after the save. */
export function useNews(form: Form, news: News | undefined): News | undefined {
  const isNew = useSyncExternalStore(
    useCallback((call) => form.subscribeSummary('', call), [form]),
    () => form.summary('').version === news?.version,
  )
  return isNew ? news : undefined
}
