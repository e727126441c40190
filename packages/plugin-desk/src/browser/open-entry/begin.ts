/** Where a person may begin a new entry, and what keeps others from it. */
import { modelOf } from '../../form/index.ts'
import { lookOf } from '../model/layout.ts'
import { type ContentType, isShared } from '../model/model.ts'
import { may, mayField, mayWhole } from '../model/rights.ts'
import type { SignedIn } from '../model/session.tsx'
import { lackingIn } from './addable.ts'

/** A new entry. */
export interface Beginning {
  readonly type: ContentType
  readonly locale: string | undefined
  /** Whether it is a translation, which takes over what all languages share. Default false. */
  readonly isTranslation?: boolean
}

/** The labels of the fields that each new entry must have, also as a draft that is published, and that the person cannot write. */
export function lackingOf(
  { type, locale, isTranslation = false }: Beginning,
  session: SignedIn,
): readonly string[] {
  const { me, model } = session
  const { uid } = type
  const isThere = (path: string): boolean => type.attributes[path.split('.')[0] ?? ''] !== undefined
  const names = lackingIn(
    { uid, attributes: { ...type.attributes, ...type.unread } },
    {
      model: modelOf(model),
      path: '',
      // No form has an attribute that the person may not read.
      mayWrite: (path, isZone) =>
        isThere(path) && (isZone ? mayWhole : mayField)(me, uid, 'create', path, locale),
    },
  )
  return names
    .filter((name) => !isTranslation || !isShared(type, name))
    .map((name) => lookOf(model, uid, name).label)
}

/** Whether the person may make a new entry. An entry of a type with drafts may lack required values until it is published. */
export const mayBegin = (beginning: Beginning, session: SignedIn): boolean =>
  may(session.me, beginning.type.uid, 'create', beginning.locale) &&
  (beginning.type.hasDrafts || lackingOf(beginning, session).length === 0)

/**
 * The address of the page of a new entry; `undefined` where the person may make none.
 *
 * @param wanted The language. Default: the first in which the person may.
 */
export function addressOfNew(type: ContentType, session: SignedIn, wanted?: string): string | undefined {
  const address = `/content/${type.route}/new`
  if (!type.isLocalized) return mayBegin({ type, locale: undefined }, session) ? address : undefined
  const usual = session.model.locales[0]?.code
  const codes = wanted === undefined ? session.model.locales.map(({ code }) => code) : [wanted]
  const found = codes.find((locale) => mayBegin({ type, locale }, session))
  if (found === undefined) return undefined
  return found === usual && wanted === undefined ? address : `${address}?locale=${found}`
}
