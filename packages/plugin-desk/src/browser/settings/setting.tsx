import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { reasonOf, useAttempt } from '../page-parts/trouble.tsx'
import { hasWritten, useUnsaved } from '../page-parts/unsaved.ts'
import { ApiError, isUnanswered } from '../requests/api.ts'
import { type Texts, useText } from '../text/index.ts'

/** The fields of a form by name. */
export type Given = Readonly<Record<string, string>>

/** A sentence about what was done, in the language of the page, which the form may have changed. */
type Said = (text: Texts) => string

/**
 * Saves a form.
 *
 * @param lost The fields of an attempt before this one whose answer was lost: the server may have carried it out.
 */
type Save = (given: Given, lost: Given | undefined) => Promise<Said | undefined>

interface Action {
  readonly action: string
  readonly onSave: Save
}

interface SettingProps extends Action {
  /** The id of the section, which can have the focus. */
  readonly id?: string | undefined
  readonly title: string
  /** Something else that the same fields are for. */
  readonly other?: Action
  readonly children: ReactNode
}

/** Whether the password that was asked for once more is not that of the person. */
export const isWrongPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'desk/bad-credentials'

/** A refusal in words of the person, who is signed in. */
const reasonHere = (error: unknown, text: Texts): string =>
  isWrongPassword(error) ? text.wrongPassword : reasonOf(error, text)

/** A form of the settings, which says what it has done, and asks before the page is left with what was typed into it. */
export function Setting({ id, title, action, onSave, other, children }: SettingProps) {
  const text = useText()
  const titleId = useId()
  const place = useRef<HTMLElement>(null)
  const lost = useRef<Given>(undefined)
  const [told, tell] = useState<{ readonly said: Said | undefined }>()
  const { inTurn, trouble } = useAttempt(reasonHere)
  useUnsaved(() => place.current !== null && hasWritten(place.current))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { submitter } = event.nativeEvent as SubmitEvent
    const isOther = submitter instanceof HTMLButtonElement && submitter.value === 'other'
    const save = isOther ? other?.onSave : onSave
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    const work = async () => {
      tell(undefined)
      try {
        tell({ said: await save?.(given, lost.current) })
      } catch (error) {
        if (isUnanswered(error)) lost.current = given
        throw error
      }
      lost.current = undefined
      for (const field of form.querySelectorAll<HTMLInputElement>('input[type=password]')) field.value = ''
    }
    // Changes that are made during a save are saved by the next save, which follows it.
    void inTurn(work, JSON.stringify([isOther, given]))
  }
  return (
    <section ref={place} id={id} tabIndex={-1} className="sheet" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <form className="sign-in" onSubmit={submit}>
        {trouble}
        {children}
        <div className="row">
          <button type="submit" className="button">
            {action}
          </button>
          {other && (
            <button type="submit" className="button" value="other">
              {other.action}
            </button>
          )}
          <span role="status">{told?.said?.(text)}</span>
        </div>
      </form>
    </section>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly name: string
  readonly value?: string
  readonly type?: string
  readonly autoComplete?: string
  readonly hint?: string
  readonly minLength?: number
  readonly max?: string
  readonly required?: boolean
}

export function TextField({ label, name, value, hint, required = true, ...more }: TextFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="in"
        id={id}
        name={name}
        defaultValue={value}
        required={required}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...more}
      />
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
