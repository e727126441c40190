import { useState } from 'react'
import type { OpenEntry } from '../../wire/index.ts'
import type { ContentType } from '../model/model.ts'
import { useSummary } from '../open-entry/context.ts'
import { joined, momentOf, useText } from '../text/index.ts'
import { wordsOfFields } from '../values/words.ts'
import type { Begun } from './begun.ts'
import { KeptText } from './kept-text.tsx'
import { useUnwritable } from './unwritable.ts'
import type { Saving } from './use-saving.ts'

interface NotesProps {
  readonly type: ContentType
  readonly locale: string | undefined
  readonly saving: Saving
  /** When the changes were kept that are back, in milliseconds. */
  readonly restored: number | undefined
  /** The copy of another entry that a new one begins as. */
  readonly copy?: Begun | undefined
  readonly opened: OpenEntry
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** The lines above the sheet about where the text comes from: a copy, and changes that are back. */
export function Notes(props: NotesProps) {
  const { restored, copy, opened, onKeep, onDiscard } = props
  const text = useText()
  const summary = useSummary('')
  return (
    <div className="wide" aria-live="polite">
      {copy && (
        <p className="note info">
          {text.copyOf(copy.of)} {copy.left.length > 0 && text.leftOfCopy(joined(copy.left, text))}
        </p>
      )}
      <Unwritable {...props} />
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
