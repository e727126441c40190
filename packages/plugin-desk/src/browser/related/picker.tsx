import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, ComboBox, I18nProvider, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import type { RelationNode } from '../../form/index.ts'
import { type Entry, labelOf } from '../entries.ts'
import { domId, useEntry } from '../entry/context.ts'
import { type ContentType, nounOf } from '../model.ts'
import { may } from '../rights.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { LinkedLook, LinkedState } from './chip.tsx'
import { findEntries } from './find.ts'

interface PickerProps {
  readonly node: RelationNode
  readonly type: ContentType
  readonly name: string
  /** The attribute that labels the entries. */
  readonly main: string | undefined
  /** Begins a new entry with this text as its label. */
  readonly onCreate: (typed: string) => void
}

/** The entry that the last option makes. */
const newId = 0

/** A list to choose from that searches on the server, and begins a new entry. */
export function Picker({ node, type, name, main, onCreate }: PickerProps) {
  const text = useText()
  const entry = useEntry()
  const { form, dialog } = entry
  const { me, model } = useSession()
  const [typed, setTyped] = useState('')
  // An entry in a language leads to those of the same language; any other one to all.
  const locale = entry.type.isLocalized ? entry.locale : undefined
  const wanted = { type, main, typed, locale }
  const { data = [], isPlaceholderData } = useQuery<readonly Entry[]>({
    queryKey: ['pick', type.uid, main, locale, typed.trim()],
    queryFn: ({ signal }) => findEntries(wanted, model, signal),
    placeholderData: keepPreviousData,
  })
  const linked = new Set(node.items.map(({ id }) => id))
  const mayCreate = type.kind === 'collectionType' && may(me, type.uid, 'create', locale)
  const noun = nounOf(type)
  const label = (one: Entry) =>
    one.id === newId ? text.createNamed(noun, typed.trim()) : labelOf(one, type, noun, text, main)
  // Until the answer is there, only those entries of the last one stay that have what is typed.
  const isLikely = (one: Entry) =>
    !isPlaceholderData || label(one).toLowerCase().includes(typed.trim().toLowerCase())
  const found = data.filter((one) => !linked.has(one.id) && isLikely(one))
  const choose = (key: unknown) => {
    if (key === newId) return onCreate(typed.trim())
    const chosen = found.find(({ id }) => id === key)
    if (!chosen) return
    form.link(node.key, { id: chosen.id, attributes: chosen.attributes })
    // The list is drawn anew; writing goes on in it.
    requestAnimationFrame(() =>
      document.getElementById(domId(entry, node.key))?.querySelector('input')?.focus(),
    )
  }
  return (
    <I18nProvider locale={text.language}>
      <ComboBox
        className="picker"
        aria-label={mayCreate ? text.findOrCreate(name) : text.find(name)}
        items={mayCreate ? [...found, { id: newId, attributes: {} }] : found}
        inputValue={typed}
        onInputChange={setTyped}
        menuTrigger="input"
        allowsEmptyCollection
        onSelectionChange={choose}
      >
        <Input className="in" placeholder={mayCreate ? text.findOrCreate(name) : text.find(name)} />
        <Button className="picker-open">▾</Button>
        <Popover className="popover" {...(dialog?.current && { UNSTABLE_portalContainer: dialog.current })}>
          <ListBox
            className="listbox"
            renderEmptyState={() => <div className="option">{text.notFoundPick}</div>}
          >
            {(one: Entry) => (
              <ListBoxItem
                className={one.id === newId ? 'option new' : 'option'}
                id={one.id}
                textValue={label(one)}
              >
                <LinkedLook entry={one} type={type} />
                <span>{label(one)}</span>
                {one.id !== newId && <LinkedState entry={one} type={type} />}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </I18nProvider>
  )
}
