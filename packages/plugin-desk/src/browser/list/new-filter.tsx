import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type Condition, operatorsFor } from '../../filters/index.ts'
import { type ContentType, inWords } from '../model.ts'
import { useSession } from '../session.tsx'
import { type Texts, useText } from '../text/index.ts'
import { type FilterField, filterFields } from './filter-fields.ts'

interface NewFilterProps {
  readonly type: ContentType
  readonly onAdd: (condition: Condition) => void
  /** Adds the condition as another way to meet the last one; `undefined` without a last one. */
  readonly onEither: ((condition: Condition) => void) | undefined
  readonly onCancel: () => void
}

const lists: readonly string[] = ['$in', '$notIn']
const flags: readonly string[] = ['$null', '$notNull']
const texts: readonly string[] = ['string', 'text', 'richtext', 'email', 'uid']

/** The values to choose from, with their names; `undefined` where any text may be written. */
function choicesOf(field: FilterField | undefined, text: Texts): Choices {
  if (field?.definition.type === 'boolean')
    return [
      ['true', text.yes],
      ['false', text.no],
    ]
  const values = field?.definition.enum
  return Array.isArray(values) ? values.map((one) => [String(one), inWords(String(one))]) : undefined
}

type Choices = readonly (readonly [value: string, name: string])[] | undefined

/** The values of a condition as they are written: two of a range, one on each line of a list. */
function valuesOf(operator: string, first: string, second: string): readonly string[] {
  if (flags.includes(operator)) return ['true']
  if (operator === '$between') return [first, second]
  if (lists.includes(operator)) return first.split('\n').filter((line) => line.trim() !== '')
  return [first]
}

const option = (value: string, name: string) => (
  <option key={value} value={value}>
    {name}
  </option>
)

/** A condition while it is made. */
function useNewCondition(type: ContentType) {
  const text = useText()
  const { model } = useSession()
  const { step } = text.filterWords
  const fields = useMemo(() => filterFields(type, model, step), [type, model, step])
  const [path, setPath] = useState(fields[0]?.path ?? '')
  const [chosen, setOperator] = useState('')
  const [isReversed, setReversed] = useState(false)
  const [written, setWritten] = useState<readonly [string, string]>(['', ''])
  const field = fields.find((one) => one.path === path)
  const operators = field ? operatorsFor(field.definition.type) : []
  const usual = texts.includes(field?.definition.type ?? '') ? '$containsi' : (operators[0] ?? '$eq')
  const operator = operators.includes(chosen) ? chosen : usual
  const choices = choicesOf(field, text)
  const isChoice = choices !== undefined && !lists.includes(operator)
  const shown = written.map((one) =>
    isChoice && !choices.some(([value]) => value === one) ? (choices[0]?.[0] ?? '') : one,
  ) as [string, string]
  const condition = (): Condition => {
    const values = valuesOf(operator, ...shown)
    const comparison: Condition = { kind: 'comparison', path: path.split('.'), operator, values }
    return isReversed ? { kind: 'not', condition: comparison } : comparison
  }
  const set = { setPath, setOperator, setReversed, setWritten }
  return { fields, path, field, operators, operator, isReversed, choices, shown, condition, ...set }
}

/** The form for a condition: a field, an operator, its values, and whether it is reversed. */
export function NewFilter({ type, onAdd, onEither, onCancel }: NewFilterProps) {
  const text = useText()
  const id = useId()
  const made = useNewCondition(type)
  const { field, operator, choices, shown } = made
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isEither = submitter?.getAttribute('name') === 'either'
    ;(isEither ? onEither : onAdd)?.(made.condition())
  }
  const value = (at: 0 | 1, label: string) => (
    <FilterValue
      {...{ field, operator, choices, label }}
      id={`${id}-${at}`}
      value={shown[at]}
      onChange={(text) => made.setWritten(shown.with(at, text) as [string, string])}
    />
  )
  return (
    <form
      className="new-filter"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      <Choice
        label={text.filterField}
        value={made.path}
        choices={made.fields.map(({ path, label }) => [path, label])}
        onChange={made.setPath}
        isFirst
      />
      <Choice
        label={text.filterOperator}
        value={operator}
        choices={made.operators.map((one) => [one, text.filterWords.operators[one] ?? one])}
        onChange={made.setOperator}
      />
      {!flags.includes(operator) && value(0, text.filterValue)}
      {operator === '$between' && value(1, text.filterEnd)}
      <label className="check">
        <input
          type="checkbox"
          checked={made.isReversed}
          onChange={({ target }) => made.setReversed(target.checked)}
        />
        {text.filterNot}
      </label>
      <FilterButtons hasEither={onEither !== undefined} onCancel={onCancel} />
    </form>
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

function Choice({ label, value, choices, onChange, isFirst = false }: ChoiceProps) {
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

function FilterButtons({ hasEither, onCancel }: { hasEither: boolean; onCancel: () => void }) {
  const text = useText()
  return (
    <div className="row">
      <button className="button" type="submit">
        {text.applyFilter}
      </button>
      {hasEither && (
        <button className="button" type="submit" name="either">
          {text.filterOr}
        </button>
      )}
      <button className="button quiet" type="button" onClick={onCancel}>
        {text.cancel}
      </button>
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
      ) : (
        <input
          {...control}
          type={field?.definition.type === 'date' ? 'date' : 'text'}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  )
}
