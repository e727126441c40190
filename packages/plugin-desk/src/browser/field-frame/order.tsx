/** Lists whose items a person puts in order: by dragging a handle, by its arrow keys, and by buttons for fingers and others who do not drag. */
import { type KeyboardEvent, useState } from 'react'
import type { Form } from '../../form/index.ts'
import { useEntry } from '../open-entry/context.ts'
import { useDropPlace } from '../page-parts/drop-place.ts'
import { useText } from '../text/index.ts'

/** An item of a list: the key of the field, and a part or a linked entry in it. */
export interface Place {
  readonly list: string
  readonly item: string | number
}

/** Where an item is in its list now. Asked when it is moved, so that the items behind one that is moved are not drawn anew. */
export function placeIn(
  form: Form,
  { list, item }: Place,
): { readonly index: number; readonly count: number } {
  const node = form.get(list)
  const items: readonly Place['item'][] =
    node.kind === 'relation' ? node.items.map(({ id }) => id) : node.kind === 'components' ? node.items : []
  return { index: items.indexOf(item), count: items.length }
}

/** The item that is being dragged. */
let dragged: (Place & { readonly form: Form }) | undefined

/** Takes items of the same list that are dragged here. @param onDrop Called with the item that comes in place of this one. */
export function useDrop<Item extends string | number>(
  { list, item }: Place & { readonly item: Item },
  onDrop: (item: Item) => void,
) {
  const { form } = useEntry()
  return useDropPlace(
    () => dragged?.form === form && dragged.list === list && dragged.item !== item,
    () => {
      onDrop(dragged?.item as Item) // an item of the same list
      dragged = undefined
    },
  )
}

interface GripProps {
  readonly at: Place
  readonly id: string
  /** The item in words. */
  readonly name: string
  readonly onMove: (index: number) => void
}

/** The steps of keys: of `PageUp` and `PageDown` ten, for long lists. */
const steps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** The handle that moves an item. A press shows buttons that move it by one place. */
export function Grip({ at, id, name, onMove }: GripProps) {
  const text = useText()
  const { form } = useEntry()
  const [told, setTold] = useState('')
  const [isOpen, setOpen] = useState(false)
  /** @param from The id of the pressed control: an element that is moved in the document loses the focus. */
  const moveBy = (step: number, from: string) => {
    const { index, count } = placeIn(form, at)
    const place = Math.max(0, Math.min(count - 1, index + step))
    if (place !== index) onMove(place)
    setTold(text.movedPart(name, place + 1, count))
    requestAnimationFrame(() => document.getElementById(from)?.focus())
  }
  const onKey = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    moveBy(step, id)
  }
  const button = (step: -1 | 1, sign: string, label: string) => (
    <button
      type="button"
      className="step"
      id={`${id}${step}`}
      aria-label={label}
      onClick={() => moveBy(step, `${id}${step}`)}
    >
      {sign}
    </button>
  )
  return (
    <>
      <button
        type="button"
        className="grip"
        id={id}
        aria-label={text.movePart(name)}
        aria-expanded={isOpen}
        draggable
        onClick={() => setOpen(!isOpen)}
        onDragStart={(event) => {
          dragged = { ...at, form }
          event.dataTransfer.effectAllowed = 'move'
        }}
        onDragEnd={() => {
          dragged = undefined
        }}
        onKeyDown={onKey}
      >
        ⋮⋮
      </button>
      {isOpen && (
        <>
          {button(-1, '↑', text.moveUp(name))}
          {button(1, '↓', text.moveDown(name))}
        </>
      )}
      <span className="hidden" role="status">
        {told}
      </span>
    </>
  )
}
