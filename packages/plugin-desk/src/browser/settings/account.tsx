import { useId, useRef, useState } from 'react'
import type { Me } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { request } from '../requests/api.ts'
import { languageCodes, type Texts, useText } from '../text/index.ts'
import { isWrongPassword, Setting, TextField } from './setting.tsx'

interface Shown {
  readonly firstname: string
  readonly lastname: string
  readonly language: string
}

const shownOf = ({ person: { firstname, lastname, language } }: Me, { language: spoken }: Texts): Shown => ({
  firstname: firstname ?? '',
  lastname: lastname ?? '',
  language: language !== null && languageCodes.includes(language) ? language : spoken,
})

/** Name and language. Only what the person changes is saved: another tab may have changed the rest since the page was opened. */
export function AboutMe() {
  const text = useText()
  const { me, changeMe } = useSession()
  const id = useId()
  const [shown, show] = useState(() => shownOf(me, text))
  // A save that waits for another one begins before the form is drawn with what that one has stored.
  const known = useRef(shown)
  const nameOf = (code: string) => new Intl.DisplayNames([code], { type: 'language' }).of(code)
  return (
    <Setting
      title={text.aboutMe}
      action={text.save}
      onSave={async (given) => {
        const body = Object.fromEntries(
          Object.entries(given).filter(([name, value]) => value !== known.current[name as keyof Shown]),
        )
        const { body: stored } = await request<Me>('PUT', 'me', { body })
        await changeMe(stored)
        known.current = {
          ...shownOf(stored, text),
          ...(body.language !== undefined && { language: body.language }),
        }
        show(known.current)
        return (words) => words.saved
      }}
    >
      <TextField
        label={text.firstname}
        name="firstname"
        value={shown.firstname}
        autoComplete="given-name"
        required={false}
      />
      <TextField
        label={text.lastname}
        name="lastname"
        value={shown.lastname}
        autoComplete="family-name"
        required={false}
      />
      <div className="field">
        <label htmlFor={id}>{text.languageOfDesk}</label>
        <select key={shown.language} className="in" id={id} name="language" defaultValue={shown.language}>
          {languageCodes.map((code) => (
            <option key={code} value={code}>
              {nameOf(code)}
            </option>
          ))}
        </select>
      </div>
    </Setting>
  )
}

export function NewPassword() {
  const text = useText()
  return (
    <Setting
      title={text.password}
      action={text.savePassword}
      onSave={async (body, lost) => {
        try {
          await request('POST', 'password', { body })
        } catch (error) {
          if (!lost || !isWrongPassword(error)) throw error
          // The attempt without an answer may have made its new password the present one.
          await request('POST', 'password', { body: { ...body, currentPassword: lost.password } })
        }
        return (words) => words.passwordSaved
      }}
    >
      <TextField
        label={text.presentPassword}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
      />
      <TextField
        label={text.newPassword}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={text.acceptWhy}
        minLength={8}
      />
    </Setting>
  )
}
