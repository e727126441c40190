import { useId } from 'react'
import { request } from '../api.ts'
import type { Me } from '../rights.ts'
import { useSession } from '../session.tsx'
import { languageCodes, useText } from '../text/index.ts'
import { Setting, TextField } from './setting.tsx'

/** Name and language. */
export function AboutMe() {
  const text = useText()
  const { me, changeMe } = useSession()
  const id = useId()
  const { firstname, lastname, language } = me.person
  const known = languageCodes.includes(language ?? '') ? (language ?? '') : ''
  const nameOf = (code: string) => new Intl.DisplayNames([code], { type: 'language' }).of(code)
  return (
    <Setting
      title={text.aboutMe}
      action={text.save}
      onSave={async (given) => {
        const body = { ...given, language: given.language || text.language }
        await changeMe((await request<Me>('PUT', 'me', { body })).body)
        return text.saved
      }}
    >
      <TextField
        label={text.firstname}
        name="firstname"
        value={firstname ?? ''}
        autoComplete="given-name"
        required={false}
      />
      <TextField
        label={text.lastname}
        name="lastname"
        value={lastname ?? ''}
        autoComplete="family-name"
        required={false}
      />
      <div className="field">
        <label htmlFor={id}>{text.languageOfDesk}</label>
        <select className="in" id={id} name="language" defaultValue={known || text.language}>
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
      onSave={async (body) => {
        await request('POST', 'password', { body })
        return text.passwordSaved
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
