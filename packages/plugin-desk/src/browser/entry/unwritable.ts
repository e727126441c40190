/** The reasons that keep a person from saving or publishing an entry: required values that others have to write. */
import { type ContentType, isShared } from '../model/model.ts'
import { may, mayWhole } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { lackingOf } from '../open-entry/begin.ts'
import { useEntry, useMadeOf } from '../open-entry/context.ts'
import { placeOf } from '../open-entry/labels.ts'
import type { Saving } from './use-saving.ts'

interface Unwritable {
  /** The fields for want of which a new entry cannot be saved. */
  readonly toBegin: readonly string[]
  /** The fields for want of which the entry cannot be published. */
  readonly toPublish: readonly string[]
}

/** @returns fields by their labels, those of parts with their places: `Stops 1 / Code` */
export function useUnwritable({ type, saving, locale }: Place): Unwritable {
  const session = useSession()
  const { me, model } = session
  const { form, mayWrite } = useEntry()
  const { entry, isTranslation } = saving
  const action = entry ? 'update' : 'create'
  const isNewTranslation = !entry && isTranslation
  const isLimited = may(me, type.uid, action, locale) && !mayWhole(me, type.uid, action, '', locale)
  const mayPublish = type.hasDrafts && may(me, type.uid, 'publish', locale)
  // Looked for only where it may be, as each key changes the entry.
  const isLookedFor = isLimited && mayPublish && typeof entry?.attributes.publishedAt !== 'string'
  const keys = useMadeOf('', () => {
    if (!isLookedFor) return ''
    const wrong = form.mistakes().flatMap(({ key }) => (mayWrite(key) ? [] : [key]))
    const own = wrong.filter((key) => !isNewTranslation || !isShared(type, key.split('/')[0] ?? ''))
    return [...new Set(own)].join('\n')
  })
  const toPublish = keys === '' ? [] : keys.split('\n').map((key) => placeOf(form, model, key))
  if (entry || !may(me, type.uid, 'create', locale)) return { toBegin: [], toPublish }
  const lacking = lackingOf({ type, locale, isTranslation }, session)
  if (!type.hasDrafts) return { toBegin: lacking, toPublish: [] }
  return { toBegin: [], toPublish: mayPublish ? [...new Set([...toPublish, ...lacking])] : [] }
}

interface Place {
  readonly type: ContentType
  readonly saving: Saving
  readonly locale: string | undefined
}
