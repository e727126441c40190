import { type ReactNode, useRef, useState } from 'react'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import { useText } from '../text/index.ts'
import { moved } from './edit-layout.ts'

interface OrderedListProps<T extends { readonly name: string }> {
  readonly items: readonly T[]
  readonly labelOf: (name: string) => string
  readonly onChange: (items: readonly T[]) => void
  readonly children?: (item: T, index: number) => ReactNode
  /** Names that can be added. */
  readonly others: readonly string[]
  readonly make: (name: string) => T
  readonly addLabel: string
}

/** Items in an order that buttons change, with a list of those that can be added. */
export function OrderedList<T extends { readonly name: string }>(props: OrderedListProps<T>) {
  const { items, labelOf, onChange, children, others, make, addLabel } = props
  const text = useText()
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLSelectElement>(null)
  const [told, setTold] = useState('')
  const move = (from: number, to: number) => {
    onChange(moved(items, from, to))
    setTold(text.movedPart(labelOf(items[from]?.name ?? ''), to + 1, items.length))
    // The button that was pressed goes along with its item.
    const button = from < to ? '.down' : '.up'
    requestAnimationFrame(() => list.current?.children[to]?.querySelector<HTMLElement>(button)?.focus())
  }
  const hide = (index: number) => {
    onChange(items.toSpliced(index, 1))
    whenFocusIsLost(() => {
      const rows = list.current?.children
      const next = rows?.[Math.min(index, rows.length - 1)]
      return next?.querySelector<HTMLElement>('.hide') ?? add.current
    })
  }
  return (
    <>
      <ul className="ordered" ref={list}>
        {items.map((item, i) => {
          const label = labelOf(item.name)
          return (
            <li key={item.name}>
              <div className="row">
                <b>{label}</b>
                <span className="grow" />
                <button
                  type="button"
                  className="button small up"
                  aria-label={text.moveUp(label)}
                  aria-disabled={i === 0}
                  onClick={() => i > 0 && move(i, i - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  className="button small down"
                  aria-label={text.moveDown(label)}
                  aria-disabled={i === items.length - 1}
                  onClick={() => i < items.length - 1 && move(i, i + 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  className="button quiet small hide"
                  aria-label={text.hideField(label)}
                  onClick={() => hide(i)}
                >
                  ×
                </button>
              </div>
              {children?.(item, i)}
            </li>
          )
        })}
      </ul>
      <span className="hidden" role="status">
        {told}
      </span>
      {others.length > 0 && (
        <select
          ref={add}
          className="in narrow"
          aria-label={addLabel}
          value=""
          onChange={({ target }) => onChange([...items, make(target.value)])}
        >
          <option value="">{addLabel}</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {labelOf(name)}
            </option>
          ))}
        </select>
      )}
    </>
  )
}
