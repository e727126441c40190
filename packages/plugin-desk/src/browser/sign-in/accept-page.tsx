import { type FormEvent, useId, useState } from 'react'
import { Trouble, useAttempt } from '../page-parts/trouble.tsx'
import { ApiError, send } from '../requests/api.ts'
import { useText } from '../text/index.ts'

/** The page of links that set a password: of invitations, of forgotten passwords, and of the first editor. */
export function AcceptPage({ onDone }: { onDone: () => void }) {
  const text = useText()
  const id = useId()
  const [token] = useState(() => location.hash.slice(1))
  const [isFirst, setFirst] = useState(false)
  const { attempt, trouble } = useAttempt()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [password, email, firstname] = ['password', 'email', 'firstname'].map((name) =>
      String(given.get(name) ?? ''),
    )
    void attempt(async () => {
      if (isFirst) {
        await send('POST', 'first', { body: { token, email, password, firstname } })
        return onDone()
      }
      try {
        await send('POST', 'accept', { body: { token, password } })
      } catch (error) {
        // Without any editor, only the first one can be made.
        if (!(error instanceof ApiError) || error.status !== 404) throw error
        return setFirst(true)
      }
      onDone()
    })
  }
  return (
    <main className="door">
      <p className="brand">Octavo</p>
      <div className="sheet">
        <h1>{isFirst ? text.firstTitle : text.acceptTitle}</h1>
        {token === '' && <Trouble>{text.acceptNoToken}</Trouble>}
        {trouble}
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
