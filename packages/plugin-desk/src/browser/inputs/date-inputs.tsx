/** Inputs of dates and times. The inputs of browsers have no value until each of their parts is filled in. */
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { InputProps } from '../field-frame/input-props.ts'
import { useEntry } from '../open-entry/context.ts'
import { useForgetOnUnmount } from '../open-entry/unfinished.ts'
import { useText } from '../text/index.ts'
import { dateTimeText, fromDateTime, fromTime, lastDay, timeText } from '../values/dates.ts'

export const DateInput = (props: InputProps) => (
  <PartsInput {...props} type="date" value={props.shown.slice(0, 10)} meaning={(text) => text || null} />
)

export const TimeInput = (props: InputProps) => (
  <PartsInput {...props} type="time" step={1} value={timeText(props.node.value)} meaning={fromTime} />
)

export const DateTimeInput = (props: InputProps) => (
  <PartsInput
    {...props}
    type="datetime-local"
    value={dateTimeText(props.node.value)}
    meaning={(text) => fromDateTime(text, props.node.value)}
  />
)

interface PartsInputProps extends Pick<InputProps, 'node' | 'control' | 'readOnly'> {
  readonly type: 'date' | 'time' | 'datetime-local'
  readonly step?: number
  readonly value: string
  /** The value for the form of what the input has. */
  readonly meaning: (text: string) => string | null
}

/** An input that is filled in by parts. A date of which parts are missing is no value: it is said once the person leaves, and not saved. */
function PartsInput({ node, control, readOnly, type, step, value, meaning }: PartsInputProps) {
  const text = useText()
  const { form, unfinished } = useEntry()
  const input = useRef<HTMLInputElement>(null)
  const [isIncomplete, setIncomplete] = useState(false)
  const { key } = node
  useForgetOnUnmount(unfinished, key)
  const look = ({
    target,
    type: event,
  }: Pick<SyntheticEvent<HTMLInputElement>, 'type'> & { target: unknown }) => {
    const isNow = (target as HTMLInputElement).validity.badInput // of this input only
    if (isNow) unfinished.set(key, text.incompleteIs)
    else unfinished.delete(key)
    // While the person still types, half a date is no mistake.
    setIncomplete((was) => isNow && (was || event === 'blur'))
  }
  // Undo and the changes of others fill all parts in.
  useEffect(() => {
    if (value === '' || !input.current || input.current.validity.badInput) return
    unfinished.delete(key)
    setIncomplete(false)
  }, [value, unfinished, key])
  return (
    <>
      <input
        {...control}
        ref={input}
        className="in"
        type={type}
        step={step}
        max={type === 'time' ? undefined : lastDay[type]}
        readOnly={readOnly}
        value={value}
        onChange={(event) => {
          form.set(key, meaning(event.target.value))
          look(event)
        }}
        onKeyUp={look}
        onBlur={look}
      />
      {isIncomplete && node.errors.length === 0 && (
        <p className="hint" role="status">
          {text.incomplete}
        </p>
      )}
    </>
  )
}
