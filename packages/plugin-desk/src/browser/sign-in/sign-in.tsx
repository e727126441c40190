import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { Me } from '../model/rights.ts'
import { useAskedCancel, useModal } from '../page-parts/modal.ts'
import { TextToCopy } from '../page-parts/text-to-copy.tsx'
import { reasonOf, Trouble, useAttempt } from '../page-parts/trouble.tsx'
import { unsavedWords } from '../page-parts/unsaved.ts'
import { type Answer, ApiError, send } from '../requests/api.ts'
import { type Texts, useText } from '../text/index.ts'
import { IssuerLink, refusalIn, useWays } from './ways-in.tsx'

/** A refusal of a sign-in in words: as long as there is no editor, the server has no addresses to sign in at. */
const reasonAtDoor = (error: unknown, text: Texts): string =>
  error instanceof ApiError && error.status === 404 ? text.notFounded : reasonOf(error, text)

/** The field for the code of a second factor, which comes once the password is right and takes the focus. */
function CodeField({ id }: { id: string }) {
  const text = useText()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div className="field">
      <label htmlFor={id}>{text.code}</label>
      <input
        ref={field}
        className="in"
        id={id}
        name="code"
        autoComplete="one-time-code"
        aria-describedby={`${id}-hint`}
        required
      />
      <p className="hint" id={`${id}-hint`}>
        {text.codeHint}
      </p>
    </div>
  )
}

interface SignInProps {
  /** The address that is already known. */
  readonly email?: string
  /** Whether the page below must stay as it is. */
  readonly isOver?: boolean
  readonly onDone: (me: Me) => void
}

/** The ways to sign in: with a password, at an issuer, or both. */
export function SignInWays({ email = '', isOver = false, onDone }: SignInProps) {
  const text = useText()
  const { passwords, openId } = useWays()
  const refusal = isOver ? '' : refusalIn(location.search, text)
  return (
    <div className="sign-in">
      {refusal !== '' && <Trouble>{refusal}</Trouble>}
      {passwords && <PasswordForm email={email} onDone={onDone} />}
      {openId && <IssuerLink name={openId.name} isOver={isOver} />}
    </div>
  )
}

/** The fields to sign in with a password. */
function PasswordForm({ email, onDone }: { email: string; onDone: (me: Me) => void }) {
  const text = useText()
  const id = useId()
  const { attempt, trouble } = useAttempt(reasonAtDoor)
  const [note, setNote] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const value = (name: string): string => {
    const field = form.current?.elements.namedItem(name)
    return field instanceof HTMLInputElement ? field.value : ''
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const given = { email: value('email'), password: value('password') }
      const body = needsCode ? { ...given, code: value('code').replaceAll(' ', '') } : given
      try {
        onDone((await send<Me>('POST', 'login', { body })).body)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'desk/code-required') throw error
        setNeedsCode(true)
      }
    })
  }
  const forgot = () => {
    setNote('')
    if (value('email') === '') return setNote(text.forgotNeedsEmail)
    void attempt(async () => {
      await send('POST', 'forgot-password', { body: { email: value('email') } })
      setNote(text.forgotSent)
    })
  }
  return (
    <form ref={form} className="sign-in" onSubmit={submit}>
      {trouble}
      {note !== '' && (
        <p className="note info" role="status">
          {note}
        </p>
      )}
      <div className="field">
        <label htmlFor={`${id}-email`}>{text.email}</label>
        <input
          className="in"
          id={`${id}-email`}
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-password`}>{text.password}</label>
        <input
          className="in"
          id={`${id}-password`}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </div>
      {needsCode && <CodeField id={`${id}-code`} />}
      <div className="row">
        <button className="button main" type="submit">
          {text.signIn}
        </button>
        <button className="button quiet" type="button" onClick={forgot}>
          {text.forgot}
        </button>
      </div>
    </form>
  )
}

/** The page to sign in. */
export function SignInPage({ site, onDone }: { site: string; onDone: (me: Me) => void }) {
  const text = useText()
  useEffect(() => {
    document.title = text.signIn
  }, [text])
  return (
    <main className="door">
      <p className="brand">
        Octavo
        {site !== '' && <small>{site}</small>}
      </p>
      <div className="sheet">
        <h1>{text.signIn}</h1>
        <SignInWays onDone={onDone} />
      </div>
    </main>
  )
}

/**
 * Asks who is signed in when the person comes back to this page: all pages of a browser have one session, which begins anew on one of them or
 * at an issuer beside it. Somebody else who signs in there leaves this page as it is.
 */
function useReturn(person: number, onDone: (me: Me) => void): void {
  useEffect(() => {
    const take = ({ body }: Answer<Me>): void => {
      if (body.person.id === person) onDone(body)
    }
    const ask = (): void => {
      if (document.visibilityState === 'visible') send<Me>('GET', 'me').then(take, () => undefined)
    }
    document.addEventListener('visibilitychange', ask)
    return () => document.removeEventListener('visibilitychange', ask)
  }, [person, onDone])
}

interface SignInAgainProps {
  readonly person: Me['person']
  readonly onDone: (me: Me) => void
}

/** The form over the page when the session has ended. The page below stays as it is. */
export function SignInAgain({ person, onDone }: SignInAgainProps) {
  const text = useText()
  useReturn(person.id, onDone)
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Read before the form is drawn, which has fields as well. The page below it gets no input.
  const [words] = useState(unsavedWords)
  useModal(dialog)
  // The page below waits for the sign-in.
  useAskedCancel(dialog, () => false)
  useEffect(() => {
    // The address is there already.
    dialog.current?.querySelector<HTMLElement>('input[type=password]')?.focus()
  }, [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id}>
      <h2 id={id}>{text.signInAgain}</h2>
      <p>{text.signInAgainWhy}</p>
      <SignInWays email={person.email} isOver onDone={onDone} />
      {words.length > 0 && (
        <details>
          <summary>{text.signInNoMore}</summary>
          <div className="note info kept">
            <TextToCopy words={words} />
          </div>
        </details>
      )}
    </dialog>
  )
}
