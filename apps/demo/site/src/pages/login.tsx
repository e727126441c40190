import { isOctavoError } from '@octavo/client'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import type { Page } from '../page.ts'
import { address, go, type Place } from '../router.ts'
import { wordsOf } from '../words.ts'

/** Logs in, or creates an account; it loads nothing. */
export const login = (onChange: () => void): Page => ({
  key: 'login',
  load: async () => (place) => ({
    title: wordsOf(place.params).login,
    body: <LoginPage place={place} onChange={onChange} />,
  }),
})

function LoginPage({ place, onChange }: { place: Place; onChange: () => void }) {
  const words = wordsOf(place.params)
  const enter = async (work: Promise<unknown>): Promise<void> => {
    await work
    onChange()
    go(address('/books', place))
  }
  return (
    <>
      <h1 tabIndex={-1}>{words.account}</h1>
      <div class="columns">
        <Form
          title={words.login}
          fields={[
            [
              words.name,
              <input key="identifier" id="identifier" name="identifier" autocomplete="username" required />,
            ],
            [
              words.password,
              <input
                key="password"
                id="password"
                name="password"
                type="password"
                autocomplete="current-password"
                required
              />,
            ],
          ]}
          send={({ identifier = '', password = '' }) => enter(api.auth.login({ identifier, password }))}
        />
        <Form
          title={words.register}
          fields={[
            [
              words.username,
              <input key="username" id="username" name="username" autocomplete="username" required />,
            ],
            [
              words.email,
              <input key="email" id="email" name="email" type="email" autocomplete="email" required />,
            ],
            [
              words.password,
              <input
                key="new-password"
                id="new-password"
                name="new-password"
                type="password"
                autocomplete="new-password"
                required
              />,
            ],
          ]}
          send={({ username = '', email = '', 'new-password': password = '' }) =>
            enter(api.auth.register({ username, email, password }))
          }
        />
      </div>
    </>
  )
}

type Field = readonly [label: string, input: VNode]

function Form({
  title,
  fields,
  send,
}: {
  title: string
  fields: readonly Field[]
  send: (values: Readonly<Record<string, string>>) => Promise<void>
}) {
  const [message, setMessage] = useState('')
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setMessage('')
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    await send(values).catch((error: unknown) => {
      if (!isOctavoError(error)) throw error
      setMessage(error.details.errors?.map((mistake) => mistake.message).join(', ') ?? error.message)
    })
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <h2>{title}</h2>
      {fields.map(([label, input]) => (
        <div key={label}>
          <label for={String(input.key)}>{label}</label>
          {input}
        </div>
      ))}
      <button type="submit">{title}</button>
      <p role="alert">{message}</p>
    </form>
  )
}
