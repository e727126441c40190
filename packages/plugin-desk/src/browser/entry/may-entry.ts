import { useQuery } from '@tanstack/react-query'
import type { Entry } from '../model/entries.ts'
import type { ContentType } from '../model/model.ts'
import { may, mayAll } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { request } from '../requests/api.ts'

type Action = 'update' | 'delete' | 'publish'

interface Asked {
  readonly type: ContentType
  readonly entry: Entry | undefined
  readonly locale: string | undefined
  readonly action: Action
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
    queryKey: ['may', type.uid, entry?.id],
    enabled: isSometimes && isNeeded && entry !== undefined,
    queryFn: async ({ signal }) =>
      (await request<Record<Action, boolean>>('GET', `may/${type.route}/${entry?.id}`, { signal })).body,
  })
  if (!isSometimes) return { isAllowed: isAlways, asking: undefined }
  return { isAllowed: asking.data?.[action], asking: isNeeded ? asking : undefined }
}
