import { type FormEvent, useState } from 'react'
import { request } from '../api.ts'
import { Dialog } from '../media/dialog.tsx'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'
import { useAttempt } from '../trouble.tsx'
import type { Role } from './give.ts'
import { LinkNote } from './link-note.tsx'
import type { WithLink } from './people.ts'
import { RoleChoice } from './role-choice.tsx'

interface InvitationProps {
  /** The roles that the person may give. */
  readonly roles: readonly Role[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Invites a person. The link is shown once. */
export function Invitation({ roles, onDone, onClose }: InvitationProps) {
  const text = useText()
  const [link, setLink] = useState('')
  const { attempt, trouble } = useAttempt()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const texts = ['email', 'firstname', 'lastname'].map((name) => [name, String(given.get(name))])
    const body = { ...Object.fromEntries(texts), roles: given.getAll('roles').map(Number) }
    void attempt(async () => {
      setLink((await request<WithLink>('POST', 'people', { body })).body.link)
      onDone()
    })
  }
  return (
    <Dialog title={text.invite} onClose={onClose}>
      {trouble}
      {link !== '' ? (
        <LinkNote link={link} />
      ) : (
        <form className="sign-in" onSubmit={submit}>
          <TextField label={text.email} name="email" type="email" />
          <TextField label={text.firstname} name="firstname" required={false} />
          <TextField label={text.lastname} name="lastname" required={false} />
          <RoleChoice roles={roles} chosen={[]} />
          <div className="row">
            <button type="submit" className="button main">
              {text.inviteNow}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
