import { useRef, useState } from 'react'
import { type Condition, describe } from '../../filters/index.ts'
import type { ContentType } from '../model.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { allOf, either, partsOf, wordsFor } from './filter-fields.ts'
import { NewFilter } from './new-filter.tsx'

interface FiltersProps {
  readonly type: ContentType
  readonly filters: Condition | undefined
  readonly onChange: (filters: Condition | undefined) => void
}

/** The conditions of a list as words; a click on one takes it away. */
export function Filters({ type, filters, onChange }: FiltersProps) {
  const text = useText()
  const { model } = useSession()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const parts = partsOf(filters)
  const last = parts.at(-1)
  const change = (conditions: readonly Condition[]) => {
    onChange(allOf(conditions))
    close()
  }
  const options = wordsFor(type, model, text)
  return (
    <>
      {parts.map((condition, i) => {
        const words = describe(condition, options)
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: equal conditions are equal
            key={`${words} ${i}`}
            type="button"
            className="tag"
            aria-label={text.removeFilter(words)}
            onClick={() => onChange(allOf(parts.toSpliced(i, 1)))}
          >
            {words} <span aria-hidden="true">×</span>
          </button>
        )
      })}
      <button
        ref={opener}
        type="button"
        className="button quiet"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        + {text.addFilter}
      </button>
      {isOpen && (
        <NewFilter
          type={type}
          onCancel={close}
          onAdd={(condition) => change([...parts, condition])}
          onEither={last && ((condition) => change([...parts.slice(0, -1), either(last, condition)]))}
        />
      )}
    </>
  )
}
