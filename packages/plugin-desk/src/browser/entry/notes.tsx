import { Fragment, useState } from 'react'
import type { OpenEntry } from '../../wire/index.ts'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { leadTo, useEntry, useSummary } from '../open-entry/context.ts'
import { placeOf } from '../open-entry/labels.ts'
import type { Unkept } from '../page-parts/device.ts'
import { joined, momentOf, useText } from '../text/index.ts'
import { wordsOfFields } from '../values/words.ts'
import type { Begun } from './begun.ts'
import { KeptText } from './kept-text.tsx'
import { useUnwritable } from './unwritable.ts'
import { useCopy } from './use-copy.ts'
import type { Saving } from './use-saving.ts'

interface NotesProps {
  readonly type: ContentType
  readonly locale: string | undefined
  /** The name of the entry. */
  readonly name: string
  readonly saving: Saving
  /** When the changes were kept that are back, in milliseconds. */
  readonly restored: number | undefined
  /** Why this device keeps no copy of what is typed; `undefined` where it does. */
  readonly unkept: Unkept | undefined
  /** The copy of another entry that a new one begins as. */
  readonly copy?: Begun | undefined
  readonly opened: OpenEntry
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** The lines above the sheet: mistakes with the way to each, conflicts, and changes that are back. */
export function Notes(props: NotesProps) {
  const { type, locale, name, saving, restored, unkept, copy, opened, onKeep, onDiscard } = props
  const text = useText()
  const entry = useEntry()
  const { form } = entry
  const { model } = useSession()
  const goOn = useCopy(type, locale)
  const summary = useSummary('')
  const errors = summary.errors > 0 ? form.errors() : []
  const overlaps = summary.overlaps > 0 ? form.overlaps() : []
  const ofEntry = errors.flatMap(({ key, message }) => (key === '' ? [message] : [])).join(' ')
  const keys = [...new Set(errors.map(({ key }) => key))]
  const link = (key: string) => (
    <button type="button" className="linked" onClick={() => leadTo(entry, key)}>
      {placeOf(form, model, key)}
    </button>
  )
  return (
    <div className="wide" aria-live="polite">
      {copy && (
        <p className="note info">
          {text.copyOf(copy.of)} {copy.left.length > 0 && text.leftOfCopy(joined(copy.left, text))}
        </p>
      )}
      <Unwritable {...props} />
      {unkept && <p className="note wrong">{text.unkept[unkept]}</p>}
      {saving.told && (
        <p className={saving.told.isWaiting ? 'note info' : 'note wrong'}>
          {saving.told.words}
          {saving.told.isStranded && goOn && (
            <button type="button" className="linked" onClick={() => void goOn(form, name)}>
              {text.goOnAsNew}
            </button>
          )}
        </p>
      )}
      {keys.length > 0 && (
        <p className="note wrong">
          <b>{text.toCorrect(keys.length)}</b>
          {saving.failed === 'publish' ? text.beforePublish : text.beforeSave}
          {keys.map((key) => (
            <Fragment key={key}>{key === '' ? ofEntry : link(key)}</Fragment>
          ))}
        </p>
      )}
      {overlaps.length > 0 ? (
        <p className="note info">
          {text.conflict}
          {[...new Set(overlaps.map(({ key }) => key))].map((key) => (
            <Fragment key={key}>{link(key)}</Fragment>
          ))}
        </p>
      ) : (
        saving.merged && <p className="note info">{text.conflictMerged}</p>
      )}
      <LeftFields opened={opened} />
      {restored !== undefined && summary.changed > 0 && (
        <p className="note info">
          {text.restored(momentOf(new Date(restored).toISOString(), text))}
          <button type="button" className="linked" onClick={onKeep}>
            {text.dismiss}
          </button>
          <button type="button" className="linked" onClick={onDiscard}>
            {text.discard}
          </button>
        </p>
      )}
    </div>
  )
}

/** Shows what the person has typed into fields that the form does not have, or lets the person only read. */
function LeftFields({ opened }: { opened: OpenEntry }) {
  const text = useText()
  const [left, setLeft] = useState(opened.left)
  if (left.length === 0) return null
  const forget = () => void opened.forgetLeft().then(() => setLeft([]))
  return (
    <KeptText words={left.flatMap(({ mine }) => wordsOfFields(mine.fields, text))} onDiscard={forget}>
      {text.leftFields}
    </KeptText>
  )
}

/** Says why the entry is not to be saved, or published, by this person. */
function Unwritable(props: Pick<NotesProps, 'type' | 'saving' | 'locale'>) {
  const text = useText()
  const { toBegin, toPublish } = useUnwritable(props)
  if (toBegin.length > 0) return <p className="note info">{text.cannotBegin(joined(toBegin, text))}</p>
  return toPublish.length > 0 && <p className="note info">{text.cannotPublish(joined(toPublish, text))}</p>
}
