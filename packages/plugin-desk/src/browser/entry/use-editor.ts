import { useId, useMemo, useState } from 'react'
import { type FormNode, withoutPasswords } from '../../form/index.ts'
import type { EntryData, OpenEntry } from '../../wire/index.ts'
import { FieldView } from '../fields/field.tsx'
import type { ContentType } from '../model/model.ts'
import { mayField, mayWhole } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { isAddable } from '../open-entry/addable.ts'
import { mayBegin } from '../open-entry/begin.ts'
import type { Beside } from '../open-entry/beside.ts'
import { type EntryContext, type OpenParts, pathOf } from '../open-entry/context.ts'
import { isShownOnly } from '../open-entry/labels.ts'
import { useMayEntry } from '../open-entry/may-entry.ts'
import { Unfinished } from '../open-entry/unfinished.ts'
import type { Unkept } from '../page-parts/device.ts'
import { useUnsaved, useUnsavedWords } from '../page-parts/unsaved.ts'
import { useText } from '../text/index.ts'
import { wordsOfChanges } from '../values/words.ts'
import { hasNewPassword } from './new-password.ts'
import { useSaving } from './use-saving.ts'

interface EditorParts {
  readonly type: ContentType
  readonly opened: OpenEntry
  readonly open: OpenParts
  /** The language of a new entry. */
  readonly locale: string | undefined
  /** Whether a new entry is a translation of another one. */
  readonly isTranslation: boolean
  /** Why this device keeps no copy of what is typed; `undefined` where it does. */
  readonly unkept: Unkept | undefined
  readonly dialog?: EntryContext['dialog']
  readonly Panel: EntryContext['Panel']
  readonly onSaved: (entry: EntryData) => void
}

/** The data and the actions of the form of an entry, on a page and in a panel. */
export function useEditor(parts: EditorParts) {
  const { type, opened, open, locale: wanted, isTranslation, unkept, dialog, Panel, onSaved } = parts
  const session = useSession()
  const { me, model } = session
  const id = useId()
  const prefix = dialog === undefined ? '' : `${id}-`
  const [unfinished] = useState(() => new Unfinished())
  const { form } = opened
  // The copy on the device has everything else.
  const mayClose = useUnsaved(
    () => unfinished.all.length > 0 || hasNewPassword(form) || (unkept !== undefined && form.isChanged),
  )
  useUnsavedEntry(opened)
  const way = useMemo(() => ({ form, open, prefix }), [form, open, prefix])
  const language = model.locales.find(({ code }) => code === wanted)?.name ?? ''
  const saving = useSaving({ type, session, opened, isTranslation, language, unfinished, way, onSaved })
  const { entry } = saving
  const locale = typeof entry?.attributes.locale === 'string' ? entry.attributes.locale : wanted
  const action = entry ? 'update' : 'create'
  const mayUpdate = useMayEntry({ type, entry, locale, action: 'update' }).isAllowed
  const mayAct = entry ? mayUpdate !== false : mayBegin({ type, locale, isTranslation }, session)
  const isDraft = type.hasDrafts && !entry?.attributes.publishedAt
  const context = useMemo((): EntryContext => {
    const isWhole = (key: string) => mayWhole(me, type.uid, action, pathOf(key), locale)
    const mayGive = (path: string) => mayField(me, type.uid, action, path, locale)
    const mayWrite = (key: string): boolean =>
      mayAct &&
      mayGive(pathOf(key)) &&
      // The server takes zones as a whole.
      form.pathTo(key).every((at) => !isZone(form.find(at)) || isWhole(at)) &&
      !isShownOnly(form, model, key)
    return {
      ...{ form, type, open, unfinished, locale, prefix, dialog, Panel, mayWrite },
      Field: FieldView,
      beside: undefined,
      mayReplace: (key) => mayWrite(key) && isWhole(key),
      mayAdd: (key, uid) =>
        mayWrite(key) &&
        (isDraft || isAddable(uid, { model: form.model, path: pathOf(key), mayWrite: mayGive })),
      isShown: (key) => mayGive(pathOf(key)) || mayField(me, type.uid, 'read', pathOf(key), locale),
    }
  }, [form, type, open, unfinished, locale, prefix, dialog, Panel, mayAct, me, action, model, isDraft])
  return { saving, context, locale, mayAct, mayClose, way }
}

/** Has the words of an entry that are not saved at hand for a person who can sign in no more. */
function useUnsavedEntry(opened: OpenEntry): void {
  const text = useText()
  useUnsavedWords(() => {
    const { form, left } = opened
    const changes = [{ base: form.base, mine: form.value() }, ...left]
    return wordsOfChanges(
      changes.map((one) => withoutPasswords(form.model, one)),
      text,
    )
  })
}

const isZone = (node: FormNode | undefined): boolean => node?.kind === 'components' && node.shape.zone

/** The context with another language beside the fields. */
export const useContextBeside = (context: EntryContext, beside: Beside | undefined): EntryContext =>
  useMemo(() => ({ ...context, beside }), [context, beside])
