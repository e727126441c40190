import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { Link } from 'wouter'
import type { Linked, RelationNode } from '../../form/index.ts'
import { request } from '../api.ts'
import { StatePill } from '../desk-parts.tsx'
import { type Entry, type ListAnswer, labelOf } from '../entries.ts'
import { domId, useEntry, useLook } from '../entry/context.ts'
import { labelFieldOf } from '../layout.ts'
import { type ContentType, nounOf } from '../model.ts'
import { may } from '../rights.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { Frame } from './frame.tsx'

/** The entries that an entry leads to, in their order, and a list to choose from that searches on the server. */
export default function RelationField({ node }: { node: RelationNode }) {
  const text = useText()
  const { me, model } = useSession()
  const { form, mayWrite } = useEntry()
  const target = model.types.find(({ uid }) => uid === node.shape.target)
  const { label: name } = useLook(node)
  const owner = form.find(node.parent ?? '')
  const main =
    target && owner?.kind === 'group' ? labelFieldOf(model, owner.uid, node.name, target) : undefined
  const isWritable = mayWrite(node.key)
  const { many } = node.shape
  return (
    <Frame node={node} isGroup aside={many && node.items.length > 1 ? text.inOrder : undefined}>
      {() => (
        <>
          <ul className="chips">
            {node.items.map((item, i) => (
              <Chip
                key={item.id}
                item={item}
                type={target}
                main={main}
                onUnlink={isWritable ? () => form.unlink(node.key, item.id) : undefined}
                onMove={
                  isWritable && many && node.items.length > 1
                    ? (to) =>
                        form.moveLink(node.key, item.id, Math.max(0, Math.min(node.items.length - 1, to)))
                    : undefined
                }
                index={i}
              />
            ))}
          </ul>
          {!target || !may(me, target.uid, 'read') ? (
            <p className="hint">{text.noRight(name)}</p>
          ) : (
            isWritable &&
            (many || node.items.length === 0) && (
              <Picker key={node.items.length} {...{ node, name, main }} type={target} />
            )
          )}
        </>
      )}
    </Frame>
  )
}

interface ChipProps {
  readonly item: Linked
  readonly type: ContentType | undefined
  /** The attribute that labels the entry. */
  readonly main: string | undefined
  readonly index: number
  readonly onUnlink: (() => void) | undefined
  readonly onMove: ((to: number) => void) | undefined
}

function Chip({ item, type, main, index, onUnlink, onMove }: ChipProps) {
  const text = useText()
  const label = labelOf(
    { id: item.id, attributes: item.attributes ?? {} },
    type,
    type ? nounOf(type) : '',
    text,
    main,
  )
  return (
    <li className="chip">
      {onMove && (
        <button
          type="button"
          className="grip"
          aria-label={text.movePart(label)}
          onKeyDown={(event) => {
            const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key]
            if (to === undefined) return
            event.preventDefault()
            onMove(to)
          }}
        >
          ⋮⋮
        </button>
      )}
      {type && type.kind === 'collectionType' ? (
        <Link className="name" href={`/content/${type.route}/${item.id}`}>
          {label}
        </Link>
      ) : (
        <span className="name">{label}</span>
      )}
      {onUnlink && (
        <button type="button" aria-label={text.unlink(label)} onClick={onUnlink}>
          ×
        </button>
      )}
    </li>
  )
}

interface PickerProps {
  readonly node: RelationNode
  readonly type: ContentType
  readonly name: string
  /** The attribute that labels the entries. */
  readonly main: string | undefined
}

function Picker({ node, type, name, main }: PickerProps) {
  const text = useText()
  const { form } = useEntry()
  const [typed, setTyped] = useState('')
  const query = {
    publicationState: 'preview',
    fields: [
      ...(main ? [main] : []),
      ...(type.hasDrafts ? ['publishedAt'] : []),
      ...(type.isLocalized ? ['locale'] : []),
    ],
    pagination: { pageSize: 10, withCount: false },
    ...(typed.trim() !== '' && { _q: typed.trim() }),
    ...(typed.trim() === '' && { sort: ['updatedAt:desc'] }),
  }
  const { data } = useQuery<ListAnswer>({
    queryKey: ['pick', type.uid, query],
    queryFn: ({ signal }) =>
      request<ListAnswer>('GET', `content/${type.route}`, { query, signal }).then(({ body }) => body),
    placeholderData: keepPreviousData,
  })
  const linked = new Set(node.items.map(({ id }) => id))
  const found = (data?.data ?? []).filter(({ id }) => !linked.has(id))
  const label = (entry: Entry) => labelOf(entry, type, nounOf(type), text, main)
  return (
    <ComboBox
      className="picker"
      aria-label={text.find(name)}
      items={found}
      inputValue={typed}
      onInputChange={setTyped}
      menuTrigger="input"
      allowsEmptyCollection
      onSelectionChange={(key) => {
        const entry = found.find(({ id }) => id === key)
        if (!entry) return
        form.link(node.key, { id: entry.id, attributes: entry.attributes })
        // The list is drawn anew; writing goes on in it.
        requestAnimationFrame(() => document.getElementById(domId(node.key))?.querySelector('input')?.focus())
      }}
    >
      <Input className="in" placeholder={text.find(name)} />
      <Button className="picker-open">▾</Button>
      <Popover className="popover">
        <ListBox
          className="listbox"
          renderEmptyState={() => <div className="option">{text.notFoundPick}</div>}
        >
          {(entry: Entry) => (
            <ListBoxItem className="option" id={entry.id} textValue={label(entry)}>
              <span>{label(entry)}</span>
              {type.hasDrafts && entry.attributes.publishedAt === null && <StatePill publishedAt={null} />}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
