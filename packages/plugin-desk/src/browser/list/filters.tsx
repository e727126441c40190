import { useRef, useState } from 'react'
import { type Condition, describe } from '../../filters/index.ts'
import type { ContentType } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { useText } from '../text/index.ts'
import { allOf, either, groundOf, partsOf, wordsFor } from './filter-fields.ts'
import { FilterForm } from './filter-form.tsx'

interface FiltersProps {
  readonly type: ContentType
  readonly filters: Condition | undefined
  readonly onChange: (filters: Condition | undefined) => void
}

/** The conditions of a list as words; a click on one opens it to be changed, and the sign beside it takes it away. */
export function Filters({ type, filters, onChange }: FiltersProps) {
  const text = useText()
  const { model } = useSession()
  /** The place of the condition that is changed; -1 for a new one. */
  const [open, setOpen] = useState<number | undefined>()
  const opener = useRef<HTMLElement>(null)
  const close = () => {
    setOpen(undefined)
    opener.current?.focus()
  }
  const toggle = (place: number, button: HTMLElement) => {
    opener.current = button
    setOpen(open === place ? undefined : place)
  }
  const parts = partsOf(filters)
  const last = parts.at(-1)
  const add = useRef<HTMLButtonElement>(null)
  const change = (conditions: readonly Condition[]) => {
    onChange(allOf(conditions))
    setOpen(undefined)
    add.current?.focus()
  }
  const options = wordsFor(groundOf(type), model, text)
  return (
    <>
      {parts.map((condition, i) => {
        const words = describe(condition, options)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal conditions are equal
          <span className="tag" key={`${words} ${i}`}>
            <button
              type="button"
              aria-label={text.changeFilter(words)}
              aria-expanded={open === i}
              onClick={({ currentTarget }) => toggle(i, currentTarget)}
            >
              {words}
            </button>
            <button
              type="button"
              aria-label={text.removeFilter(words)}
              onClick={() => change(parts.toSpliced(i, 1))}
            >
              ×
            </button>
          </span>
        )
      })}
      <button
        ref={add}
        type="button"
        className="button quiet"
        aria-expanded={open === -1}
        onClick={({ currentTarget }) => toggle(-1, currentTarget)}
      >
        + {text.addFilter}
      </button>
      {open !== undefined && (
        <FilterForm
          key={open}
          type={type}
          condition={parts[open]}
          onCancel={close}
          onApply={(condition) =>
            change(
              open === -1
                ? [...parts, ...partsOf(condition)]
                : parts.toSpliced(open, 1, ...partsOf(condition)),
            )
          }
          onEither={
            open === -1 && last
              ? (condition) => change(condition ? [...parts.slice(0, -1), either(last, condition)] : parts)
              : undefined
          }
        />
      )}
    </>
  )
}
