import { useId } from 'react'
import type { FieldLayout } from '../model/model.ts'
import { useText } from '../text/index.ts'
import type { Place } from './edit-layout.ts'

interface FieldPlaceProps {
  readonly place: Place
  readonly look: FieldLayout
  readonly onPlace: (place: Place) => void
  readonly onLook: (look: FieldLayout) => void
}

/** The texts of a field, its width, and whether it begins a row. */
export function FieldPlace({ place, look, onPlace, onLook }: FieldPlaceProps) {
  const text = useText()
  const id = useId()
  const words = {
    label: text.fieldLabel,
    description: text.fieldDescription,
    placeholder: text.fieldPlaceholder,
    column: text.fieldColumn,
  }
  const write = (key: keyof typeof words, value: string) => {
    const { [key]: _, ...others } = look
    onLook(value === '' && key !== 'label' ? ({ ...others } as FieldLayout) : { ...look, [key]: value })
  }
  return (
    <details>
      <summary>{text.textsAndWidth}</summary>
      <div className="place">
        {(Object.keys(words) as (keyof typeof words)[]).map((key) => (
          <div key={key} className="field">
            <label htmlFor={`${id}-${key}`}>{words[key]}</label>
            <input
              className="in"
              id={`${id}-${key}`}
              maxLength={1000}
              value={look[key] ?? ''}
              onChange={({ target }) => write(key, target.value)}
            />
          </div>
        ))}
        <div className="field">
          <label htmlFor={`${id}-size`}>{text.fieldWidth}</label>
          <input
            className="in"
            id={`${id}-size`}
            type="number"
            min={1}
            max={12}
            value={place.size}
            onChange={({ target }) => {
              const size = target.valueAsNumber
              if (size >= 1 && size <= 12) onPlace({ ...place, size: Math.floor(size) })
            }}
          />
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={place.starts}
            onChange={({ target }) => onPlace({ ...place, starts: target.checked })}
          />
          {text.beginsRow}
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={look.readOnly === true}
            onChange={({ target }) => onLook({ ...look, readOnly: target.checked })}
          />
          {text.onlyShown}
        </label>
      </div>
    </details>
  )
}
