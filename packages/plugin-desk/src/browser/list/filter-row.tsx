import { useEffect, useId, useRef } from 'react'
import { useText } from '../text/index.ts'
import { dateTimeText, fromDateTime, isDay, isMoment, lastDay } from '../values/dates.ts'
import { type Choices, type DraftRow, flags, lists, moments, shownRow } from './filter-draft.ts'
import type { FilterField, FilterScope } from './filter-fields.ts'

const option = (value: string, name: string) => (
  <option key={value} value={value}>
    {name}
  </option>
)

interface FilterRowProps {
  readonly row: DraftRow
  readonly scope: FilterScope
  /** Whether it has the focus at the beginning. */
  readonly isFirst: boolean
  readonly onChange: (row: DraftRow) => void
}

/** A condition: a field, an operator, its values, and whether it is reversed. */
export function FilterRow({ row, scope, isFirst, onChange }: FilterRowProps) {
  const text = useText()
  const id = useId()
  const writtenFor = useWritten()
  const { field, operators, operator, choices, written } = shownRow(row, scope, text)
  const value = (at: 0 | 1, label: string) => (
    <FilterValue
      {...{ field, operator, choices, label }}
      id={`${id}-${at}`}
      value={written[at]}
      onChange={(typed) => onChange({ ...row, written: written.with(at, typed) as [string, string] })}
    />
  )
  return (
    <>
      <Choice
        label={text.filterField}
        value={row.path}
        choices={scope.fields.map(({ path, label }) => [path, label])}
        onChange={(path) => {
          const next = scope.fields.find((one) => one.path === path)
          onChange({ ...row, path, written: writtenFor(next, field, row) })
        }}
        isFirst={isFirst}
      />
      <Choice
        label={text.filterOperator}
        value={operator}
        choices={operators.map((one) => [one, text.filterWords.operators[one] ?? one])}
        onChange={(operator) => onChange({ ...row, operator })}
      />
      {!flags.includes(operator) && value(0, text.filterValue)}
      {operator === '$between' && value(1, text.filterEnd)}
      <Reversal
        isReversed={row.isReversed}
        onChange={(isReversed: boolean) => onChange({ ...row, isReversed })}
      />
    </>
  )
}

const times: readonly (string | undefined)[] = ['date', 'datetime']

/** Days and moments that are written in a row as those of another type; a day becomes its beginning, and a text none of them. */
function writtenAs(type: string, written: DraftRow['written']): DraftRow['written'] {
  const day = (value: string) =>
    isMoment(value) ? dateTimeText(value).slice(0, 10) : isDay(value) ? value : ''
  const moment = (value: string) => (isDay(value) ? (fromDateTime(`${value}T00:00`) ?? '') : value)
  const lines = (value: string) =>
    value
      .split('\n')
      .map(type === 'date' ? day : moment)
      .join('\n')
  return [lines(written[0]), lines(written[1])]
}

/**
 * The values of a row when its field is changed. A value of a date is none of a text, and the reverse. Values come back when a field of
 * their kind is chosen again, because the keyboard chooses each field on the way to another one.
 */
function useWritten() {
  const left = useRef<Partial<Record<'time' | 'text', DraftRow['written']>>>({})
  return (next: FilterField | undefined, before: FilterField | undefined, { written }: DraftRow) => {
    const [now = '', then = ''] = [next?.definition.type, before?.definition.type]
    left.current[times.includes(then) ? 'time' : 'text'] = written
    if (!times.includes(now)) return left.current.text ?? ['', '']
    return writtenAs(now, left.current.time ?? ['', ''])
  }
}

/** Whether a condition, or a group of them, is turned round. */
export function Reversal({
  isReversed,
  onChange,
}: {
  isReversed: boolean
  onChange: (isReversed: boolean) => void
}) {
  const text = useText()
  return (
    <label className="check">
      <input type="checkbox" checked={isReversed} onChange={({ target }) => onChange(target.checked)} />
      {text.filterNot}
    </label>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, name: string])[]
  readonly onChange: (value: string) => void
  /** Whether it has the focus at the beginning. */
  readonly isFirst?: boolean
}

export function Choice({ label, value, choices, onChange, isFirst = false }: ChoiceProps) {
  const id = useId()
  const control = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (isFirst) control.current?.focus()
  }, [isFirst])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        ref={control}
        className="in"
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {choices.map(([one, name]) => option(one, name))}
      </select>
    </div>
  )
}

interface FilterValueProps {
  readonly id: string
  readonly label: string
  readonly field: FilterField | undefined
  readonly operator: string
  readonly choices: Choices
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Whether a value is chosen as a date and a time, in the time zone of the person. A value that was written otherwise stays a text. */
const isOfMoment = (field: FilterField | undefined, operator: string, value: string): boolean =>
  field?.definition.type === 'datetime' && moments.includes(operator) && (value === '' || isMoment(value))

function FilterValue({ id, label, field, operator, choices, value, onChange }: FilterValueProps) {
  const text = useText()
  const control = { className: 'in', id: `${id}-value`, required: true }
  const isList = lists.includes(operator)
  return (
    <div className="field">
      <label htmlFor={control.id}>{isList && !choices ? text.filterLines : label}</label>
      {isList && choices ? (
        <select
          {...control}
          multiple
          value={value.split('\n')}
          onChange={({ target }) => onChange([...target.selectedOptions].map((one) => one.value).join('\n'))}
        >
          {choices.map(([one, name]) => option(one, name))}
        </select>
      ) : isList ? (
        <textarea {...control} value={value} onChange={({ target }) => onChange(target.value)} />
      ) : choices ? (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {choices.map(([one, name]) => option(one, name))}
        </select>
      ) : isOfMoment(field, operator, value) ? (
        // Another element than that of a text: an input that becomes one of a date forgets its parts at each key.
        <input
          {...control}
          key="time"
          type="datetime-local"
          // A filter of an address may have seconds, which are no mistake.
          step="any"
          max={lastDay['datetime-local']}
          value={dateTimeText(value)}
          onChange={({ target }) => onChange(fromDateTime(target.value) ?? '')}
        />
      ) : field?.definition.type === 'date' ? (
        <input
          {...control}
          key="day"
          type="date"
          max={lastDay.date}
          // A value that is no day would empty the input at each key.
          value={isDay(value) ? value : ''}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <input {...control} type="text" value={value} onChange={({ target }) => onChange(target.value)} />
      )}
    </div>
  )
}
