import { type ComponentType, useState } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { Frame } from '../field-frame/frame.tsx'
import type { InputProps } from '../field-frame/input-props.ts'
import { inWords } from '../model/model.ts'
import { useEntry, useLook } from '../open-entry/context.ts'
import { dirOf, useText } from '../text/index.ts'
import { numberTypes } from '../values/plain-number.ts'
import { BlocksField } from './blocks.tsx'
import { DateInput, DateTimeInput, TimeInput } from './date-inputs.tsx'
import { JsonField } from './json.tsx'
import { MarkdownField } from './markdown.tsx'
import { NumberField } from './number.tsx'
import { UidInput } from './uid.tsx'

/** The inputs by type. */
const inputs: Readonly<Record<string, ComponentType<InputProps>>> = {
  string: TextInput,
  email: TextInput,
  password: PasswordInput,
  uid: UidInput,
  text: LongInput,
  boolean: BooleanInput,
  enumeration: ChoiceInput,
  date: DateInput,
  time: TimeInput,
  datetime: DateTimeInput,
}

/** A single value. Types that the desk does not know are edited as JSON, so that nothing of them is lost. */
export function ScalarField({ node }: { node: ScalarNode }) {
  const { type } = node.definition
  const Input = inputs[type]
  if (numberTypes.has(type)) return <NumberField node={node} />
  if (type === 'blocks') return <BlocksField node={node} />
  if (type === 'richtext')
    return <MarkdownField node={node} plain={<InputField node={node} Input={LongInput} />} />
  return Input ? <InputField {...{ node, Input }} /> : <JsonField node={node} />
}

function InputField({ node, Input }: { node: ScalarNode; Input: ComponentType<InputProps> }) {
  const text = useText()
  const { form, mayWrite } = useEntry()
  const { type, maxLength } = node.definition
  const { placeholder } = useLook(node)
  const shown = String(node.value ?? '')
  const aside =
    typeof maxLength === 'number' && type !== 'uid'
      ? text.ofCount(shown.length, maxLength)
      : type === 'richtext'
        ? text.markdown
        : undefined
  return (
    <Frame node={node} aside={aside}>
      {(control) => (
        <Input
          {...{ node, control, shown, placeholder }}
          readOnly={!mayWrite(node.key)}
          write={(next) => form.set(node.key, next === '' ? null : next, { typing: true })}
        />
      )}
    </Frame>
  )
}

function TextInput({ node, control, readOnly, shown, write, placeholder }: InputProps) {
  const { locale } = useEntry()
  return (
    <input
      {...control}
      className="in"
      type={node.definition.type === 'email' ? 'email' : 'text'}
      lang={locale}
      dir={dirOf(shown)}
      readOnly={readOnly}
      placeholder={placeholder}
      value={shown}
      onChange={({ target }) => write(target.value)}
    />
  )
}

/** The stored password is never shown; an empty input leaves it as it is. */
function PasswordInput({ node, control, readOnly, shown, write }: InputProps) {
  const { form } = useEntry()
  return (
    <input
      {...control}
      className="in"
      type="password"
      autoComplete="new-password"
      readOnly={readOnly}
      value={shown}
      onChange={({ target }) =>
        target.value === '' ? form.set(node.key, undefined, { typing: true }) : write(target.value)
      }
    />
  )
}

function LongInput({ node, control, readOnly, shown, write, placeholder }: InputProps) {
  const { locale } = useEntry()
  return (
    <textarea
      {...control}
      className={node.definition.type === 'richtext' ? 'in prose' : 'in'}
      lang={locale}
      dir={dirOf(shown)}
      readOnly={readOnly}
      placeholder={placeholder}
      value={shown}
      onChange={({ target }) => write(target.value)}
    />
  )
}

function ChoiceInput({ node, control, readOnly, shown, write }: InputProps) {
  const text = useText()
  const values = Array.isArray(node.definition.enum) ? node.definition.enum.map(String) : []
  const isGone = shown !== '' && !values.includes(shown)
  return (
    <select
      {...control}
      className="in"
      disabled={readOnly}
      value={shown}
      onChange={({ target }) => write(target.value)}
    >
      <option value="">{text.notChosen}</option>
      {isGone && <option value={shown}>{text.goneValue(inWords(shown))}</option>}
      {values.map((one) => (
        <option key={one} value={one}>
          {inWords(one)}
        </option>
      ))}
    </select>
  )
}

/**
 * Yes or no. A value that is missing is not shown as no: it is stored differently, and where it is required, the entry cannot be published
 * with it. There, no is as many steps away as yes.
 */
function BooleanInput(props: InputProps) {
  const { node } = props
  const [isChoice] = useState(() => node.definition.required === true && typeof node.value !== 'boolean')
  return isChoice ? <YesOrNo {...props} /> : <Check {...props} />
}

function YesOrNo({ node, control, readOnly }: InputProps) {
  const text = useText()
  const { form } = useEntry()
  return (
    <select
      {...control}
      className="in"
      disabled={readOnly}
      value={typeof node.value === 'boolean' ? String(node.value) : ''}
      onChange={({ target }) => form.set(node.key, target.value === '' ? null : target.value === 'true')}
    >
      <option value="">{text.notChosen}</option>
      <option value="true">{text.yes}</option>
      <option value="false">{text.no}</option>
    </select>
  )
}

function Check({ node, control, readOnly }: InputProps) {
  const text = useText()
  const { form } = useEntry()
  const isMissing = typeof node.value !== 'boolean'
  // A checkbox is no input that can be required: no is a value.
  const { 'aria-required': _, ...rest } = control
  return (
    <div className="check">
      <input
        {...rest}
        ref={(input) => {
          if (input) input.indeterminate = isMissing
        }}
        type="checkbox"
        disabled={readOnly}
        checked={node.value === true}
        onChange={({ target }) => form.set(node.key, target.checked)}
      />
      <span aria-hidden="true">{isMissing ? text.notChosen : node.value ? text.yes : text.no}</span>
    </div>
  )
}
