import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { inWords } from '../model.ts'
import { type Texts, useText } from '../text/index.ts'
import { type FilterField, operatorsFor } from './filter-fields.ts'
import type { Filter } from './list-query.ts'

/** A filter as words: `Written by / Country is France`. */
function wordsOf({ field, operator, value }: Filter, fields: readonly FilterField[], text: Texts) {
  const found = fields.find(({ path }) => path === field)
  const shown =
    found?.definition.type === 'boolean'
      ? value === 'true'
        ? text.yes
        : text.no
      : found?.definition.type === 'enumeration'
        ? inWords(value)
        : value
  return {
    label: found?.label ?? field,
    operator: text.operators[operator] ?? operator,
    value: operator === '$null' || operator === '$notNull' ? '' : shown,
  }
}

interface FiltersProps {
  readonly filters: readonly Filter[]
  readonly fields: readonly FilterField[]
  readonly onChange: (filters: readonly Filter[]) => void
}

export function Filters({ filters, fields, onChange }: FiltersProps) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <>
      {filters.map((filter, i) => {
        const { label, operator, value } = wordsOf(filter, fields, text)
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: equal filters are equal
            key={`${filter.field} ${filter.operator} ${filter.value} ${i}`}
            type="button"
            className="tag"
            aria-label={text.removeFilter(`${label} ${operator} ${value}`)}
            onClick={() => onChange(filters.toSpliced(i, 1))}
          >
            {label} {operator} <b>{value}</b> <span aria-hidden="true">×</span>
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
          fields={fields}
          onCancel={close}
          onAdd={(filter) => {
            onChange([...filters, filter])
            close()
          }}
        />
      )}
    </>
  )
}

interface NewFilterProps {
  readonly fields: readonly FilterField[]
  readonly onAdd: (filter: Filter) => void
  readonly onCancel: () => void
}

/** The values to choose from, with their names; `undefined` where any text may be written. */
function choicesOf(
  field: FilterField | undefined,
  text: Texts,
): readonly (readonly [value: string, name: string])[] | undefined {
  if (field?.definition.type === 'boolean')
    return [
      ['true', text.yes],
      ['false', text.no],
    ]
  const values = field?.definition.enum
  return Array.isArray(values) ? values.map((one) => [String(one), inWords(String(one))]) : undefined
}

function NewFilter({ fields, onAdd, onCancel }: NewFilterProps) {
  const text = useText()
  const id = useId()
  const first = useRef<HTMLSelectElement>(null)
  useEffect(() => first.current?.focus(), [])
  const [path, setPath] = useState(fields[0]?.path ?? '')
  const field = fields.find((one) => one.path === path)
  const operators = field ? operatorsFor(field) : []
  const [chosen, setOperator] = useState('')
  const operator = operators.includes(chosen) ? chosen : (operators[0] ?? '$eq')
  const [written, setValue] = useState('')
  const needsValue = operator !== '$null' && operator !== '$notNull'
  const choices = choicesOf(field, text)
  const value = choices && !choices.some(([one]) => one === written) ? (choices[0]?.[0] ?? '') : written
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAdd({ field: path, operator, value: needsValue ? value : '' })
  }
  const option = (value: string, name: string) => (
    <option key={value} value={value}>
      {name}
    </option>
  )
  return (
    <form
      className="new-filter"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      <div className="field">
        <label htmlFor={`${id}-field`}>{text.filterField}</label>
        <select
          ref={first}
          className="in"
          id={`${id}-field`}
          value={path}
          onChange={(event) => setPath(event.target.value)}
        >
          {fields.map((one) => option(one.path, one.label))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-operator`}>{text.filterOperator}</label>
        <select
          className="in"
          id={`${id}-operator`}
          value={operator}
          onChange={(event) => setOperator(event.target.value)}
        >
          {operators.map((one) => option(one, text.operators[one] ?? one))}
        </select>
      </div>
      {needsValue && <FilterValue {...{ id, field, choices, value }} onChange={setValue} />}
      <div className="row">
        <button className="button" type="submit">
          {text.applyFilter}
        </button>
        <button className="button quiet" type="button" onClick={onCancel}>
          {text.cancel}
        </button>
      </div>
    </form>
  )
}

interface FilterValueProps {
  readonly id: string
  readonly field: FilterField | undefined
  readonly choices: ReturnType<typeof choicesOf>
  readonly value: string
  readonly onChange: (value: string) => void
}

function FilterValue({ id, field, choices, value, onChange }: FilterValueProps) {
  const text = useText()
  return (
    <div className="field">
      <label htmlFor={`${id}-value`}>{text.filterValue}</label>
      {choices ? (
        <select
          className="in"
          id={`${id}-value`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {choices.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="in"
          id={`${id}-value`}
          type={field?.definition.type === 'date' ? 'date' : 'text'}
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
