import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ApiError } from '../api.ts'
import type { Texts } from '../text/index.ts'
import { reasonOf, useAttempt } from '../trouble.tsx'

interface SettingProps {
  readonly title: string
  readonly action: string
  /** Gets the fields of the form by name. @returns a sentence about what was done */
  readonly onSave: (given: Readonly<Record<string, string>>) => Promise<string>
  readonly children: ReactNode
}

/** A refusal in words of the person, who is signed in: what does not fit is the password that was asked for once more. */
const reasonHere = (error: unknown, text: Texts): string =>
  error instanceof ApiError && error.code === 'desk/bad-credentials'
    ? text.wrongPassword
    : reasonOf(error, text)

/** A form of the settings, which says what it has done. */
export function Setting({ title, action, onSave, children }: SettingProps) {
  const id = useId()
  const [told, tell] = useState('')
  const { attempt, trouble } = useAttempt(reasonHere)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    void attempt(async () => {
      tell('')
      tell(await onSave(given))
      for (const field of form.querySelectorAll<HTMLInputElement>('input[type=password]')) field.value = ''
    })
  }
  return (
    <section className="sheet" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <form className="sign-in" onSubmit={submit}>
        {trouble}
        {children}
        <div className="row">
          <button type="submit" className="button">
            {action}
          </button>
          <span role="status">{told}</span>
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
