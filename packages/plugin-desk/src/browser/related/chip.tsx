import { memo } from 'react'
import type { Linked } from '../../form/index.ts'
import { Grip, placeIn, useDrop } from '../field-frame/order.tsx'
import { Thumb } from '../list/cells.tsx'
import { labelOf } from '../model/entries.ts'
import { type ContentType, nounOf, pictureFieldOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { domId, useEntry } from '../open-entry/context.ts'
import { StatePill } from '../page-parts/desk-parts.tsx'
import { isPast } from '../requests/server-time.ts'
import { useText } from '../text/index.ts'

interface ChipProps {
  /** The key of the field. */
  readonly list: string
  readonly item: Linked
  readonly type: ContentType | undefined
  /** The attribute that labels the entry. */
  readonly main: string | undefined
  readonly isOrdered: boolean
  readonly isWritable: boolean
  /** Opens the entry over the page; absent for a person who may not read it. */
  readonly onOpen: ((id: number) => void) | undefined
}

/** An entry that the entry leads to. There may be thousands: those that stay the same are not drawn again, and so do not know their place. */
export const Chip = memo(function Chip(props: ChipProps) {
  const { list, item, type, main, isOrdered, isWritable, onOpen } = props
  const text = useText()
  const entry = useEntry()
  const { form } = entry
  const at = { list, item: item.id }
  const { isOver, handlers } = useDrop(at, (id) => form.moveLink(list, id, placeIn(form, at).index))
  const found = { id: item.id, attributes: item.attributes ?? {} }
  const label = labelOf(found, type, type ? nounOf(type) : '', text, main)
  const unlink = () => {
    form.unlink(list, item.id)
    // The button is gone: writing goes on in the list to choose from.
    requestAnimationFrame(() => document.getElementById(domId(entry, list))?.querySelector('input')?.focus())
  }
  return (
    <li className={isOver ? 'chip over' : 'chip'} {...handlers}>
      {isOrdered && (
        <Grip
          at={at}
          id={`${domId(entry, list)}-grip-${item.id}`}
          name={label}
          onMove={(place) => form.moveLink(list, item.id, place)}
        />
      )}
      <LinkedLook entry={found} type={type} />
      {onOpen ? (
        <button
          type="button"
          className="name linked"
          translate="no"
          aria-label={text.openRelated(label)}
          onClick={() => onOpen(item.id)}
        >
          {label}
        </button>
      ) : (
        <span className="name" translate="no">
          {label}
        </span>
      )}
      <LinkedState entry={found} type={type} />
      {isWritable && (
        <button type="button" aria-label={text.unlink(label)} onClick={unlink}>
          ×
        </button>
      )}
    </li>
  )
})

interface LookProps {
  readonly entry: { readonly id: number; readonly attributes: Readonly<Record<string, unknown>> }
  readonly type: ContentType | undefined
}

/** The picture of a linked entry, when it has one. */
export function LinkedLook({ entry, type }: LookProps) {
  const { model } = useSession()
  const picture = type && pictureFieldOf(model, type.attributes)
  return picture !== undefined && entry.attributes[picture] ? <Thumb entry={entry} field={picture} /> : null
}

/** The language of a linked entry, and its state unless it is published. */
export function LinkedState({ entry, type }: LookProps) {
  const { locale, publishedAt } = entry.attributes
  return (
    <>
      {type?.isLocalized && typeof locale === 'string' && <span className="locale">{locale}</span>}
      {type?.hasDrafts && publishedAt !== undefined && !isPast(publishedAt) && (
        <StatePill publishedAt={publishedAt} />
      )}
    </>
  )
}
