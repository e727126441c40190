import { useLocation } from 'wouter'
import type { Form } from '../../form/index.ts'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { mayBegin } from '../open-entry/begin.ts'
import { mayLeave } from '../page-parts/unsaved.ts'
import { beginCopy } from './begun.ts'

/**
 * Begins a new entry with what a form shows, and leads to its page.
 *
 * @returns a function that does it once the page may be left; `undefined` where the person may make no new entry
 */
export function useCopy(
  type: ContentType,
  locale: string | undefined,
): ((form: Form, name: string) => Promise<void>) | undefined {
  const session = useSession()
  const [, go] = useLocation()
  if (type.kind !== 'collectionType' || !mayBegin({ type, locale }, session)) return undefined
  return async (form, name) => {
    if (!mayLeave()) return
    const id = await beginCopy({ type, form, name, locale }, session)
    const language = locale === undefined ? '' : `locale=${locale}&`
    go(`/content/${type.route}/new?${language}as=${id}`)
  }
}
