import { useLocation } from 'wouter'
import type { Form } from '../../form/index.ts'
import type { ContentType } from '../model/model.ts'
import { type SignedIn, useSession } from '../model/session.tsx'
import { mayBegin } from '../open-entry/begin.ts'
import { mayLeave } from '../page-parts/unsaved.ts'
import { beginCopy } from './begun.ts'

/**
 * Begins a new entry with what a form shows, and leads to its page.
 *
 * @param given The language of the form. The new entry has another one if that was deleted.
 * @param isGone Whether the language was deleted after the page was opened. Default false.
 * @returns a function that does it once the page may be left; `undefined` where the person may make no new entry
 */
export function useCopy(
  type: ContentType,
  given: string | undefined,
  isGone = false,
): ((form: Form, name: string) => Promise<void>) | undefined {
  const session = useSession()
  const [, go] = useLocation()
  const locale = languageFor(type, given, isGone, session)
  const isLost = given !== undefined && locale === undefined
  if (type.kind !== 'collectionType' || isLost || !mayBegin({ type, locale }, session)) return undefined
  return async (form, name) => {
    if (!mayLeave()) return
    const id = await beginCopy({ type, form, name, locale }, session)
    const language = locale === undefined ? '' : `locale=${locale}&`
    go(`/content/${type.route}/new?${language}as=${id}`)
  }
}

/** The language of a form. If it was deleted, the first language in which the person may make a new entry. */
function languageFor(
  type: ContentType,
  given: string | undefined,
  isGone: boolean,
  session: SignedIn,
): string | undefined {
  if (!type.isLocalized || given === undefined) return given
  const codes = session.model.locales.map(({ code }) => code)
  if (codes.includes(given) && !isGone) return given
  return codes.find((locale) => locale !== given && mayBegin({ type, locale }, session))
}
