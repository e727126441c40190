import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button, ComboBox, I18nProvider, Input, ListBox, ListBoxItem } from 'react-aria-components'
import type { RelationNode } from '../../form/index.ts'
import { type Entry, labelOf } from '../model/entries.ts'
import { type ContentType, nounOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { mayBegin } from '../open-entry/begin.ts'
import { domId, useEntry } from '../open-entry/context.ts'
import { Asked } from '../page-parts/asked.tsx'
import { reasonOf } from '../page-parts/trouble.tsx'
import { isSigningInAgain } from '../requests/api.ts'
import { useText } from '../text/index.ts'
import { LinkedLook, LinkedState } from './chip.tsx'
import { findEntries, type Wanted } from './find.ts'
import { keepDialog, Results } from './results.tsx'

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

/** The entries for what is typed. A page may have many such lists: each asks once it is used. */
function useSearch({ type, main, locale, linked }: Omit<Wanted, 'typed'>) {
  const { model } = useSession()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isUsed, setUsed] = useState(false)
  const searchFor = (words: string) =>
    queryOptions<readonly Entry[]>({
      // Of other chosen entries as many are asked for, so that their number stands for them.
      queryKey: ['pick', type.uid, main, locale, words.trim(), linked.size],
      queryFn: ({ signal }) =>
        findEntries({ type, main, typed: words, locale, linked }, model, client, signal),
    })
  const asking = useQuery({
    ...searchFor(typed),
    enabled: isUsed,
    placeholderData: keepPreviousData,
  })
  const write = (words: string): void => {
    // The server searches while the list is drawn for the key.
    if (isUsed) void client.prefetchQuery(searchFor(words))
    setTyped(words)
  }
  const begin = (): void => {
    setUsed(true)
    if (asking.error) void asking.refetch()
  }
  return { typed, write, begin, asking }
}

interface OptionProps extends Pick<PickerProps, 'type'> {
  readonly one: Entry
  readonly label: string
  /** Whether it is chosen already. */
  readonly isTaken: boolean
}

/** An entry to choose, or the offer to make one. */
function Option({ one, type, label, isTaken }: OptionProps) {
  const text = useText()
  const isNew = one.id === newId
  return (
    <ListBoxItem className={isNew ? 'option new' : 'option'} id={one.id} textValue={label}>
      <LinkedLook entry={one} type={type} />
      <span translate={isNew ? undefined : 'no'}>{isTaken ? text.chosenAlready(label) : label}</span>
      {!isNew && <LinkedState entry={one} type={type} />}
    </ListBoxItem>
  )
}

/** A list to choose from that searches on the server, and begins a new entry. */
export function Picker({ node, type, name, main, onCreate }: PickerProps) {
  const text = useText()
  const entry = useEntry()
  const { form } = entry
  const session = useSession()
  // An entry in a language leads to those of the same language; any other one to all.
  const locale = entry.type.isLocalized ? entry.locale : undefined
  const linked = useMemo(() => new Set(node.items.map(({ id }) => id)), [node.items])
  const { typed, write, begin, asking } = useSearch({ type, main, locale, linked })
  const { data = [], error, isPlaceholderData, isFetching } = asking
  const mayCreate = type.kind === 'collectionType' && mayBegin({ type, locale }, session)
  const noun = nounOf(type)
  const label = (one: Entry) =>
    one.id === newId ? text.createNamed(noun, typed.trim()) : labelOf(one, type, noun, text, main)
  // Until the answer is there, only those entries of the last one stay that have what is typed.
  const isLikely = (one: Entry) =>
    !isPlaceholderData || label(one).toLowerCase().includes(typed.trim().toLowerCase())
  const found = data.filter((one) => !linked.has(one.id) && isLikely(one))
  // In a long list of related entries, one that is there is easily missed, and would be made a second time.
  const isTyped = (one: Entry) => label(one).toLowerCase() === typed.trim().toLowerCase()
  const taken = node.items
    .map(({ id, attributes = {} }): Entry => ({ id, attributes }))
    .filter((one) => typed.trim() !== '' && isTyped(one))
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
        items={[...taken, ...found, ...(mayCreate ? [{ id: newId, attributes: {} }] : [])]}
        disabledKeys={taken.map(({ id }) => id)}
        inputValue={typed}
        onInputChange={(words) => {
          // The list forgets what is typed when it loses the focus, and the form to sign in again takes the focus for a while.
          if (words !== '' || !isSigningInAgain()) write(words)
        }}
        onFocus={begin}
        onOpenChange={begin}
        menuTrigger="input"
        allowsEmptyCollection
        onSelectionChange={choose}
      >
        <Input
          className="in"
          placeholder={mayCreate ? text.findOrCreate(name) : text.find(name)}
          onKeyDownCapture={keepDialog}
        />
        <Button className="picker-open">▾</Button>
        <Results>
          {found.length === 0 && (isFetching || error) && (
            <div className="option" role="status">
              {isFetching ? text.loading : reasonOf(error, text)}
            </div>
          )}
          <ListBox
            className="listbox"
            renderEmptyState={() =>
              !isFetching && !error && <div className="option">{text.notFoundPick}</div>
            }
          >
            {(one: Entry) => <Option one={one} type={type} label={label(one)} isTaken={linked.has(one.id)} />}
          </ListBox>
        </Results>
      </ComboBox>
      {error && !isFetching && <Asked of={{ [name]: asking }} />}
    </I18nProvider>
  )
}
