import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type EntryData, OpenEntry } from '../../wire/index.ts'
import { labelOf } from '../model/entries.ts'
import { nounOf } from '../model/model.ts'
import { FormContext, type OpenParts, type PanelProps, useEntry } from '../open-entry/context.ts'
import { wordsOf } from '../open-entry/outcome-words.ts'
import { StatePill, Waiting } from '../page-parts/desk-parts.tsx'
import type { Unkept } from '../page-parts/device.ts'
import { nameOfPanel } from '../page-parts/device.ts'
import { useAskedCancel, useModal } from '../page-parts/modal.ts'
import { Trouble } from '../page-parts/trouble.tsx'
import { useText } from '../text/index.ts'
import { Margin } from './margin.tsx'
import { Notes } from './notes.tsx'
import { SaveButtons } from './save-buttons.tsx'
import { Sheet } from './sheet.tsx'
import { Told } from './told.tsx'
import { useEditor } from './use-editor.ts'
import { useOpenEntry } from './use-open-entry.ts'

/** A related entry over the page: its whole form, with a save of its own. Values that are typed are kept on the device as on a page. */
export default function Panel(props: PanelProps) {
  const { type, id, onClose } = props
  const text = useText()
  const owner = useEntry()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [editor] = useState(nameOfPanel)
  const locale = type.isLocalized ? owner.locale : undefined
  const { opened, open, unkept, discard, again } = useOpenEntry(
    { type, id: id === undefined ? 'new' : String(id), locale, origin: undefined, begun: undefined },
    editor,
  )
  useModal(dialog)
  const common = { ...props, dialog, titleId, open, unkept, discard, locale }
  return (
    <dialog
      ref={dialog}
      className="dialog panel"
      aria-labelledby={titleId}
      onClose={(event) => {
        // A dialog within this one closes by itself.
        if (event.target === dialog.current) onClose()
      }}
    >
      {opened instanceof OpenEntry ? (
        <Filled {...common} opened={opened} />
      ) : (
        <div className="panel-head">
          <h2 id={titleId}>{id === undefined ? text.newEntry(nounOf(type)) : type.name}</h2>
          <span className="grow" />
          <button type="button" className="button quiet" onClick={() => dialog.current?.close()}>
            {text.close}
          </button>
          {opened ? (
            <Trouble {...(opened.kind !== 'missing' && { onAgain: again })}>
              {text.notLoaded(type.name)} {wordsOf(opened, text)}
            </Trouble>
          ) : (
            <Waiting onAgain={again} />
          )}
        </div>
      )}
    </dialog>
  )
}

interface FilledProps extends PanelProps {
  readonly opened: OpenEntry
  readonly open: OpenParts
  readonly dialog: React.RefObject<HTMLDialogElement | null>
  readonly titleId: string
  readonly unkept: Unkept | undefined
  readonly discard: () => void
  readonly locale: string | undefined
}

function Filled(props: FilledProps) {
  const { type, opened, open, dialog, titleId, unkept, discard, label, onSaved } = props
  const text = useText()
  const [restored, setRestored] = useState(opened.restored)
  const { saving, context, locale, mayAct, mayClose } = useEditor({
    ...{ type, opened, open, locale: props.locale, isTranslation: false, unkept, dialog, Panel },
    onSaved: (entry: EntryData) => {
      onSaved(entry)
      dialog.current?.close()
    },
  })
  // The words typed into the search become the name of the new entry, unless the text of an earlier one is back.
  useEffect(() => {
    if (opened.stored || opened.restored !== undefined) return
    for (const [name, value] of Object.entries(label ?? {}))
      if (value !== '' && opened.form.find(name)?.kind === 'scalar') opened.form.set(name, value)
  }, [opened, label])
  useEffect(() => {
    dialog.current?.querySelector<HTMLElement>('.sheet input, .sheet textarea, .sheet select')?.focus()
  }, [dialog])
  useAskedCancel(dialog, mayClose)
  const { entry } = saving
  const noun = nounOf(type)
  const name = entry ? labelOf(entry, type, noun, text) : text.newEntry(noun)
  const onKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    // The page behind would save as well.
    event.stopPropagation()
    if (mayAct) void saving.save('save')
  }
  return (
    <FormContext value={context}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key that saves from each field */}
      <div onKeyDown={onKey}>
        <div className="panel-head">
          <h2 id={titleId}>{name}</h2>
          {type.hasDrafts && entry && <StatePill publishedAt={entry.attributes.publishedAt} />}
          <span className="grow" />
          <button
            type="button"
            className="button quiet"
            onClick={() => mayClose() && dialog.current?.close()}
          >
            {text.close}
          </button>
          <SaveButtons {...{ type, saving, locale, mayAct }} />
        </div>
        <Told {...{ type, locale, name, saving, unkept }} />
        <Notes
          {...{ type, saving, locale, restored, opened }}
          onKeep={() => setRestored(undefined)}
          onDiscard={discard}
        />
        <Sheet type={type} name={name} isTranslation={false} />
        <Margin {...{ type, entry, locale }} isTranslation={false} />
      </div>
    </FormContext>
  )
}
