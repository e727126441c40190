import type { ScalarNode } from '../../form/index.ts'
import { pathOf, useEntry } from '../entry/context.ts'
import { inWords, mainFieldOf } from '../model.ts'
import { useText } from '../text/index.ts'
import { dateTimeText, fromDateTime, fromTime, timeText } from './dates.ts'
import { Frame } from './frame.tsx'
import { JsonField } from './json.tsx'
import { NumberField } from './number.tsx'

const width: Readonly<Record<string, string>> = {
  integer: 'w4',
  biginteger: 'w4',
  float: 'w4',
  decimal: 'w4',
  boolean: 'w4',
  enumeration: 'w4',
  date: 'w4',
  time: 'w4',
  datetime: 'w4',
  email: 'w6',
  uid: 'w6',
  password: 'w6',
  string: 'w6',
}

const known = new Set(['string', 'text', 'richtext', 'email', 'uid', 'password', 'boolean', 'enumeration', 'date', 'time', 'datetime'])
const numbers = new Set(['integer', 'biginteger', 'float', 'decimal'])

/** A single value. Types that the desk does not know are edited as JSON, so that nothing of them is lost. */
export function ScalarField({ node }: { node: ScalarNode }) {
  const { type } = node.definition
  const className = width[type] ?? ''
  if (numbers.has(type)) return <NumberField node={node} className={className} />
  if (!known.has(type)) return <JsonField node={node} />
  return <PlainField node={node} className={className} />
}

function PlainField({ node, className }: { node: ScalarNode; className: string }) {
  const text = useText()
  const { form, mayWrite } = useEntry()
  const { type, maxLength } = node.definition
  const value = node.value
  const readOnly = !mayWrite(pathOf(node.key))
  const shown = String(value ?? '')
  const write = (next: string) => form.set(node.key, next === '' ? null : next, { typing: true })
  const aside =
    typeof maxLength === 'number' && type !== 'uid'
      ? text.ofCount(shown.length, maxLength)
      : type === 'richtext'
        ? text.markdown
        : undefined
  return (
    <Frame node={node} className={className} aside={aside}>
      {(control) => {
        switch (type) {
          case 'text':
          case 'richtext':
            return (
              <textarea
                {...control}
                className={type === 'richtext' ? 'in prose' : 'in'}
                readOnly={readOnly}
                value={shown}
                onChange={({ target }) => write(target.value)}
              />
            )
          case 'boolean':
            return <BooleanInput node={node} control={control} readOnly={readOnly} />
          case 'enumeration':
            return (
              <select
                {...control}
                className="in"
                disabled={readOnly}
                value={shown}
                onChange={({ target }) => write(target.value)}
              >
                <option value="">{text.notChosen}</option>
                {(Array.isArray(node.definition.enum) ? node.definition.enum : []).map((one) => (
                  <option key={String(one)} value={String(one)}>
                    {inWords(String(one))}
                  </option>
                ))}
              </select>
            )
          case 'date':
            return (
              <input {...control} className="in" type="date" readOnly={readOnly} value={shown.slice(0, 10)} onChange={({ target }) => write(target.value)} />
            )
          case 'time':
            return (
              <input {...control} className="in" type="time" step={1} readOnly={readOnly} value={timeText(value)} onChange={({ target }) => form.set(node.key, fromTime(target.value))} />
            )
          case 'datetime':
            return (
              <input {...control} className="in" type="datetime-local" readOnly={readOnly} value={dateTimeText(value)} onChange={({ target }) => form.set(node.key, fromDateTime(target.value))} />
            )
          case 'uid':
            return <UidInput node={node} control={control} readOnly={readOnly} />
          default:
            return (
              <input
                {...control}
                className="in"
                type={type === 'email' || type === 'password' ? type : 'text'}
                autoComplete={type === 'password' ? 'new-password' : 'off'}
                readOnly={readOnly}
                value={shown}
                onChange={({ target }) =>
                  type === 'password' && target.value === ''
                    ? form.set(node.key, undefined)
                    : write(target.value)
                }
              />
            )
        }
      }}
    </Frame>
  )
}

interface InputProps {
  readonly node: ScalarNode
  readonly control: object
  readonly readOnly: boolean
}

function BooleanInput({ node, control, readOnly }: InputProps) {
  const text = useText()
  const { form } = useEntry()
  return (
    <div className="check">
      <input
        {...control}
        type="checkbox"
        disabled={readOnly}
        checked={node.value === true}
        onChange={({ target }) => form.set(node.key, target.checked)}
      />
      <span aria-hidden="true">{node.value === true ? text.yes : text.no}</span>
    </div>
  )
}

/** An address made of a title: `The quiet river` is `the-quiet-river`. */
const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

function UidInput({ node, control, readOnly }: InputProps) {
  const text = useText()
  const { form, type } = useEntry()
  const from = node.definition.targetField ?? mainFieldOf(type.attributes)
  const suggest = () => {
    const title = form.find(node.key.replace(/[^/]*$/, String(from)))
    if (title?.kind === 'scalar' && typeof title.value === 'string') form.set(node.key, slugOf(title.value) || null)
  }
  return (
    <>
      <input
        {...control}
        className="in"
        spellCheck={false}
        readOnly={readOnly}
        value={String(node.value ?? '')}
        onChange={({ target }) => form.set(node.key, target.value === '' ? null : target.value, { typing: true })}
      />
      {!readOnly && (
        <button type="button" className="button quiet small" onClick={suggest}>
          {text.suggest}
        </button>
      )}
    </>
  )
}
