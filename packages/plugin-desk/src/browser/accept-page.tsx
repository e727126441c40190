import { type FormEvent, useId, useState } from 'react'
import { ApiError, send } from './api.ts'
import { reasonOf } from './sign-in.tsx'
import { useText } from './text/index.ts'

/** The page of links that set a password: of invitations, of forgotten passwords, and of the first editor. */
export function AcceptPage({ onDone }: { onDone: () => void }) {
  const text = useText()
  const id = useId()
  const [token] = useState(() => location.hash.slice(1))
  const [isFirst, setFirst] = useState(false)
  const [problem, setProblem] = useState(token === '' ? text.acceptNoToken : '')

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [password, email, firstname] = ['password', 'email', 'firstname'].map((name) =>
      String(given.get(name) ?? ''),
    )
    setProblem('')
    try {
      if (isFirst) await send('POST', 'first', { body: { token, email, password, firstname } })
      else await send('POST', 'accept', { body: { token, password } })
      onDone()
    } catch (error) {
      // Without any editor, only the first one can be made.
      if (error instanceof ApiError && error.status === 404 && !isFirst) setFirst(true)
      else setProblem(error instanceof ApiError && error.message ? error.message : reasonOf(error, text))
    }
  }
  return (
    <main className="door">
      <p className="brand">Octavo</p>
      <div className="sheet">
        <h1>{isFirst ? text.firstTitle : text.acceptTitle}</h1>
        {problem !== '' && (
          <p className="note wrong" role="alert">
            {problem}
          </p>
        )}
        <form className="sign-in" onSubmit={submit}>
          {isFirst && (
            <>
              <div className="field">
                <label htmlFor={`${id}-name`}>{text.firstname}</label>
                <input className="in" id={`${id}-name`} name="firstname" autoComplete="given-name" />
              </div>
              <div className="field">
                <label htmlFor={`${id}-email`}>{text.email}</label>
                <input
                  className="in"
                  id={`${id}-email`}
                  name="email"
                  type="email"
                  autoComplete="username"
                  required
                />
              </div>
            </>
          )}
          <div className="field">
            <label htmlFor={`${id}-password`}>{text.newPassword}</label>
            <input
              className="in"
              id={`${id}-password`}
              name="password"
              type="password"
              autoComplete="new-password"
              minLength={8}
              required
              aria-describedby={`${id}-hint`}
            />
            <p className="hint" id={`${id}-hint`}>
              {text.acceptWhy}
            </p>
          </div>
          <button className="button main" type="submit" disabled={token === ''}>
            {text.savePassword}
          </button>
        </form>
      </div>
    </main>
  )
}
