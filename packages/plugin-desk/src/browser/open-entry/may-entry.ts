import { useQueries, useQuery } from '@tanstack/react-query'
import type { Entry } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import { may, mayAll } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { askMay, type EntryAction } from './ask-may.ts'

interface Asked {
  readonly type: ContentType
  readonly entry: Entry | undefined
  readonly locale: string | undefined
  readonly action: EntryAction
  /** Whether the answer is needed now. Default true. */
  readonly isNeeded?: boolean
}

/**
 * Whether a person may do something with a stored entry. Where the roles have conditions, the server is asked: one answer has all actions.
 *
 * @returns `isAllowed`: `undefined` until the answer is there. `asking`: the request, where there is one.
 */
export function useMayEntry({ type, entry, locale, action, isNeeded = true }: Asked) {
  const { me } = useSession()
  const isAlways = mayAll(me, type.uid, action, locale)
  const isSometimes = may(me, type.uid, action, locale) && !isAlways
  const asking = useQuery({
    ...allActions(type, entry?.id),
    enabled: isSometimes && isNeeded && entry !== undefined,
  })
  if (!isSometimes) return { isAllowed: isAlways, asking: undefined }
  return { isAllowed: asking.data?.[action], asking: isNeeded ? asking : undefined }
}

/** The actions that a person may take on a stored entry. */
const allActions = ({ uid, route }: ContentType, id: number | undefined) => ({
  queryKey: ['may', uid, id],
  // Without an id it is not enabled.
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => askMay(route, id ?? 0, signal),
})

/**
 * The entries with which a person may do something, as {@link useMayEntry} of each.
 *
 * @returns `undefined` until all answers are there. An entry whose answer cannot be had is among them: the server refuses what is not allowed.
 */
export function useAllowed(
  type: ContentType,
  entries: readonly Entry[],
  action: EntryAction,
): readonly Entry[] | undefined {
  const { me } = useSession()
  const isAlways = entries.map(({ attributes: { locale } }) =>
    mayAll(me, type.uid, action, typeof locale === 'string' ? locale : undefined),
  )
  const answers = useQueries({
    queries: entries.map(({ id }, i) => ({ ...allActions(type, id), enabled: isAlways[i] !== true })),
  })
  if (answers.some(({ isLoading }) => isLoading)) return undefined
  return entries.filter((_, i) => isAlways[i] || answers[i]?.data?.[action] !== false)
}
