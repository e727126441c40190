import { useState } from 'react'
import { request } from '../api.ts'
import type { Me } from '../rights.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { Setting, TextField } from './setting.tsx'

interface NewFactor {
  readonly secret: string
  /** For apps: `otpauth://…` */
  readonly uri: string
}

/** Codes by time beside the password: turned on with a secret for an app, and off with the password and a code. */
export function SecondFactor() {
  const text = useText()
  const { me, changeMe } = useSession()
  const [made, setMade] = useState<NewFactor | undefined>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const password = (
    <TextField
      label={text.presentPassword}
      name="currentPassword"
      type="password"
      autoComplete="current-password"
    />
  )
  const code = <TextField label={text.codeNow} name="code" autoComplete="one-time-code" />
  const send = async <T,>(path: string, body: Readonly<Record<string, string>>): Promise<T> =>
    (
      await request<T>('POST', path, {
        body: { ...body, ...(body.code && { code: body.code.replaceAll(' ', '') }) },
      })
    ).body
  const changed = async () => changeMe((await request<Me>('GET', 'me')).body)
  if (codes.length > 0) return <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
  if (made)
    return (
      <Setting
        key="confirm"
        title={text.secondFactor}
        action={text.turnOn}
        onSave={async (given) => {
          const { recoveryCodes } = await send<{ recoveryCodes: string[] }>('second-factor/confirm', given)
          setMade(undefined)
          setCodes(recoveryCodes)
          await changed()
          return ''
        }}
      >
        <p>{text.factorInApp}</p>
        <p>
          <code className="secret">{made.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <p>
          <a href={made.uri}>{text.openInApp}</a>
        </p>
        {code}
      </Setting>
    )
  if (me.person.secondFactor)
    return (
      <Setting
        key="off"
        title={text.secondFactor}
        action={text.turnOff}
        onSave={async (given) => {
          await send('second-factor/remove', given)
          await changed()
          return ''
        }}
      >
        <p>{text.factorIsOn}</p>
        {password}
        {code}
      </Setting>
    )
  return (
    <Setting
      key="on"
      title={text.secondFactor}
      action={text.beginFactor}
      onSave={async (given) => {
        setMade(await send<NewFactor>('second-factor', given))
        return ''
      }}
    >
      <p>{text.factorWhy}</p>
      {password}
    </Setting>
  )
}

/** The codes are shown once; the server has their hashes only. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = useText()
  return (
    <section className="sheet">
      <h2>{text.recoveryCodes}</h2>
      <p role="status">{text.recoveryWhy}</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button type="button" className="button" onClick={onDone}>
        {text.codesKept}
      </button>
    </section>
  )
}
