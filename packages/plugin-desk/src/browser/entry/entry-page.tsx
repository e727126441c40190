import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { OpenEntry } from '../../wire/index.ts'
import { Waiting } from '../desk-parts.tsx'
import { labelOf } from '../entries.ts'
import { FieldView } from '../fields/field.tsx'
import { type ContentType, nounOf } from '../model.ts'
import { may, mayField } from '../rights.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { EntryBar } from './bar.tsx'
import { type EntryContext, FormContext, OpenParts, pathOf } from './context.ts'
import { isShownOnly } from './labels.ts'
import { Margin } from './margin.tsx'
import { Notes } from './notes.tsx'
import { Sheet } from './sheet.tsx'
import { type Opening, useOpenEntry } from './use-open-entry.ts'
import { useSaving, wordsOf } from './use-saving.ts'

/** An entry, or a new one with the id `new`. @param id `undefined` for a single type */
export default function EntryPage({ type, id }: { type: ContentType; id: string | undefined }) {
  const text = useText()
  const { opened, locale, origin, isUnkept, discard } = useOpenEntry(type, id)
  if (!opened) return <Waiting />
  if (opened instanceof OpenEntry) return <Editor {...{ type, opened, locale, origin, isUnkept, discard }} />
  return (
    <main id="main" className="page">
      <p className="note wrong" role="alert">
        {opened.kind === 'missing' ? text.notFound : wordsOf(opened, text)}
      </p>
    </main>
  )
}

interface EditorProps extends Omit<Opening, 'opened'> {
  readonly type: ContentType
  readonly opened: OpenEntry
  readonly locale: string | undefined
  readonly origin: string | undefined
}

function Editor({ type, opened, locale: wanted, origin, isUnkept, discard }: EditorProps) {
  const text = useText()
  const { me, model } = useSession()
  const [, go] = useLocation()
  const [open] = useState(() => new OpenParts())
  const [unfinished] = useState(() => new Map<string, string>())
  const [restored, setRestored] = useState(opened.restored)
  const saving = useSaving({
    ...{ type, opened, open, unfinished },
    onCreated: (created) => go(`/content/${type.route}/${created}`, { replace: true }),
  })
  const { entry } = saving
  const { form } = opened
  const locale = typeof entry?.attributes.locale === 'string' ? entry.attributes.locale : wanted
  const action = entry ? 'update' : 'create'
  const mayAct = may(me, type.uid, action, locale)
  const context: EntryContext = {
    ...{ form, type, open, unfinished },
    Field: FieldView,
    mayWrite: (key) =>
      mayAct && mayField(me, type.uid, action, pathOf(key), locale) && !isShownOnly(form, model, key),
  }
  const name = entry ? labelOf(entry, type, nounOf(type), text) : text.newEntry(nounOf(type))
  useEffect(() => {
    document.title = name
  }, [name])
  return (
    <FormContext value={context}>
      <div className="room">
        <EntryBar {...{ type, saving, locale, origin, mayAct }} name={name} />
        <main id="main" className="entry" tabIndex={-1}>
          <Notes
            {...{ saving, restored, isUnkept }}
            onKeep={() => setRestored(undefined)}
            onDiscard={discard}
          />
          <Sheet type={type} name={name} isTranslation={origin !== undefined} />
          <Margin type={type} entry={entry} isTranslation={origin !== undefined} />
        </main>
      </div>
    </FormContext>
  )
}
