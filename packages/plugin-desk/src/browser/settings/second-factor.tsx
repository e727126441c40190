import { useEffect, useRef, useState } from 'react'
import type { Me } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { useUnsaved } from '../page-parts/unsaved.ts'
import { request } from '../requests/api.ts'
import { useText } from '../text/index.ts'
import { type Given, Setting, TextField } from './setting.tsx'

interface NewFactor {
  readonly secret: string
  /** For apps: `otpauth://…` */
  readonly uri: string
}

/** The id of the section. */
const place = 'second-factor'

/**
 * Each step takes the place of the one before, whose button takes the focus along: it goes to the section, and not to its button, since one more
 * press of the key must not end what is shown once.
 */
function useFocusAtStep(step: string): void {
  const last = useRef(step)
  useEffect(() => {
    if (last.current === step) return
    last.current = step
    if (document.activeElement === document.body) document.getElementById(place)?.focus()
  }, [step])
}

interface WithCodes {
  readonly recoveryCodes: readonly string[]
}

const send = async <T,>(path: string, body: Given): Promise<T> => {
  const { code } = body
  return (
    await request<T>('POST', path, { body: { ...body, ...(code && { code: code.replaceAll(' ', '') }) } })
  ).body
}

/** Reads the account again. */
function useChanged() {
  const { changeMe } = useSession()
  /** @returns whether the second factor is on */
  return async (): Promise<boolean> => {
    const { body } = await request<Me>('GET', 'me')
    await changeMe(body)
    return body.person.secondFactor
  }
}

function Password() {
  const text = useText()
  return (
    <TextField
      label={text.presentPassword}
      name="currentPassword"
      type="password"
      autoComplete="current-password"
    />
  )
}

function Code() {
  const text = useText()
  return <TextField label={text.codeNow} name="code" autoComplete="one-time-code" />
}

/** Codes by time beside the password: turned on with a secret for an app, and off with the password and a code. */
export function SecondFactor() {
  const text = useText()
  const { me } = useSession()
  const [made, setMade] = useState<NewFactor | undefined>()
  const [codes, setCodes] = useState<readonly string[]>([])
  /** Whether the second factor was turned on by a request whose answer, with the codes, was lost. */
  const [isLost, setLost] = useState(false)
  const isOn = me.person.secondFactor
  useFocusAtStep(codes.length > 0 ? 'codes' : made ? 'made' : isOn ? 'on' : 'off')
  if (codes.length > 0) return <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
  const show = (given: readonly string[]): void => {
    setLost(given.length === 0)
    setMade(undefined)
    setCodes(given)
  }
  if (made) return <NewSecret made={made} onCodes={show} />
  if (isOn) return <FactorIsOn isLost={isLost} onCodes={show} />
  return (
    <Setting
      id={place}
      key="on"
      title={text.secondFactor}
      action={text.beginFactor}
      onSave={async (given) => {
        setMade(await send<NewFactor>('second-factor', given))
        return undefined
      }}
    >
      <p>{text.factorWhy}</p>
      <Password />
    </Setting>
  )
}

interface FactorProps {
  /** Gets the codes for recovery; none where the answer with them was lost. */
  readonly onCodes: (codes: readonly string[]) => void
}

/** A secret for an app, which counts once a code of it was confirmed. */
function NewSecret({ made, onCodes }: FactorProps & { readonly made: NewFactor }) {
  const text = useText()
  const changed = useChanged()
  return (
    <Setting
      id={place}
      key="confirm"
      title={text.secondFactor}
      action={text.turnOn}
      onSave={async (given, lost) => {
        if (lost && (await changed())) onCodes([])
        else {
          onCodes((await send<WithCodes>('second-factor/confirm', given)).recoveryCodes)
          await changed()
        }
        return undefined
      }}
    >
      <p>{text.factorInApp}</p>
      <p>
        <code className="secret">{made.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <p>
        <a href={made.uri}>{text.openInApp}</a>
      </p>
      <Code />
    </Setting>
  )
}

/** Turns the second factor off, or makes new codes for recovery. */
function FactorIsOn({ isLost, onCodes }: FactorProps & { readonly isLost: boolean }) {
  const text = useText()
  const changed = useChanged()
  return (
    <Setting
      id={place}
      key="off"
      title={text.secondFactor}
      action={text.turnOff}
      onSave={async (given, lost) => {
        if (lost && !(await changed())) return undefined
        await send('second-factor/remove', given)
        await changed()
        return undefined
      }}
      other={{
        action: text.newCodes,
        onSave: async (given) => {
          onCodes((await send<WithCodes>('second-factor/recovery-codes', given)).recoveryCodes)
          return undefined
        },
      }}
    >
      <p>{text.factorIsOn}</p>
      {isLost && (
        <p className="note wrong" role="alert">
          {text.codesLost(text.newCodes)}
        </p>
      )}
      <p className="hint">{text.newCodesWhy}</p>
      <Password />
      <Code />
    </Setting>
  )
}

/** The codes are shown once; the server has their hashes only. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = useText()
  useUnsaved(() => true, text.leaveCodes)
  return (
    <section id={place} tabIndex={-1} className="sheet" aria-label={text.recoveryCodes}>
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
