import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { lookOf } from '../model/layout.ts'
import { type AttributeDefinition, type ContentType, inWords } from '../model/model.ts'
import { mayField } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { useText } from '../text/index.ts'
import { type Former, presentValues } from './use-bulk.ts'

const numbers: readonly string[] = ['integer', 'float', 'decimal']
const changeable: readonly string[] = [
  ...['string', 'text', 'email', 'enumeration', 'boolean', 'date', 'biginteger'],
  ...numbers,
]

/** The value of what is written; `null` for nothing. */
function typedValue(written: string, { type }: AttributeDefinition): unknown {
  if (written === '') return null
  if (type === 'boolean') return written === 'true'
  return numbers.includes(type) ? Number(written) : written
}

interface ChangeFieldProps {
  readonly type: ContentType
  readonly ids: readonly number[]
  readonly onChange: (name: string, value: unknown) => void
  readonly onClose: () => void
}

/** Asks for a field and its value for several entries, and says how many of them have another one. */
export function ChangeField({ type, ids, onChange, onClose }: ChangeFieldProps) {
  const text = useText()
  const { me, model } = useSession()
  const id = useId()
  const fields = Object.entries(type.attributes).filter(
    ([name, definition]) =>
      changeable.includes(definition.type) &&
      definition.readOnly !== true &&
      definition.unique !== true &&
      lookOf(model, type.uid, name).readOnly !== true &&
      mayField(me, type.uid, 'read', name) &&
      mayField(me, type.uid, 'update', name),
  )
  const [chosen, choose] = useState(fields[0]?.[0] ?? '')
  const [written, write] = useState('')
  const definition = type.attributes[chosen] ?? { type: 'string' }
  const value = typedValue(written, definition)
  const former = useFormer(type, ids, chosen)
  const { data } = former
  const others = (data ?? []).filter((entry) => entry.value !== value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(chosen, value)
    onClose()
  }
  return (
    <Dialog title={text.changeField} isLost={() => written !== ''} onClose={onClose}>
      <form className="sign-in" onSubmit={submit}>
        <div className="field">
          <label htmlFor={`${id}-field`}>{text.filterField}</label>
          <select
            className="in"
            id={`${id}-field`}
            value={chosen}
            onChange={({ target }) => {
              choose(target.value)
              write('')
            }}
          >
            {fields.map(([name]) => (
              <option key={name} value={name}>
                {lookOf(model, type.uid, name).label}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-value`}>{text.filterValue}</label>
          <ValueControl id={`${id}-value`} {...{ definition }} value={written} onChange={write} />
        </div>
        {chosen !== '' && <Asked of={{ [text.changeField]: former }} />}
        <p role="status">{data && text.willChange(others.length, ids.length)}</p>
        <div className="row">
          <button type="submit" className="button main" disabled={others.length === 0}>
            {text.changeThem}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The present values of a field. */
const useFormer = (type: ContentType, ids: readonly number[], name: string) =>
  useQuery<readonly Former[]>({
    queryKey: ['former', type.uid, ids, name],
    queryFn: ({ signal }) => presentValues(type, name, ids, signal),
    // Not those of when the dialog was open before.
    gcTime: 0,
    staleTime: 0,
    enabled: name !== '',
  })

interface ValueControlProps {
  readonly id: string
  readonly definition: AttributeDefinition
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueControl({ id, definition, value, onChange }: ValueControlProps) {
  const text = useText()
  const { type, enum: names, required } = definition
  const shared = { className: 'in', id, value, required: required === true }
  const choices =
    type === 'boolean'
      ? [
          ['true', text.yes],
          ['false', text.no],
        ]
      : Array.isArray(names)
        ? names.map((one) => [String(one), inWords(String(one))])
        : undefined
  if (choices)
    return (
      <select {...shared} onChange={({ target }) => onChange(target.value)}>
        <option value="">{text.notChosen}</option>
        {choices.map(([one, label]) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
    )
  const kind = numbers.includes(type) ? 'number' : type === 'date' || type === 'email' ? type : 'text'
  return (
    <input
      {...shared}
      type={kind}
      step={kind === 'number' && type !== 'integer' ? 'any' : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
