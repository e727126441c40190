import type { FormEvent } from 'react'
import { useSecret } from '../managed/secret-note.tsx'
import { SubmitRow } from '../page-parts/desk-parts.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { request } from '../requests/api.ts'
import { useCreation } from '../requests/creation.ts'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'
import type { Role } from './give.ts'
import type { Person, WithLink } from './people.ts'
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
  const link = useSecret(text.linkOnce, text.copyLink)
  const { attempt, trouble } = useAttempt()
  const create = useCreation<Person>({ queryKey: ['people'], path: 'people', items: (all) => all })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const email = String(given.get('email'))
    const texts = ['firstname', 'lastname'].map((name) => [name, String(given.get(name))])
    const body = { ...Object.fromEntries(texts), email, roles: given.getAll('roles').map(Number) }
    void attempt(async () => {
      const linkOf = async (path: string, given?: object) =>
        (await request<WithLink>('POST', path, { body: given })).body.link
      const made = await create({
        body,
        make: () => linkOf('people', body),
        isIt: (person) => person.invited && person.email === email.trim().toLowerCase(),
        // Its link was in the answer that was lost.
        found: ({ id }) => linkOf(`people/${id}/link`),
      })
      link.show(made)
      onDone()
    })
  }
  return (
    <Dialog title={text.invite} onClose={onClose}>
      {trouble}
      {link.isShown ? (
        link.note
      ) : (
        <form className="sign-in" onSubmit={submit}>
          <TextField label={text.email} name="email" type="email" />
          <TextField label={text.firstname} name="firstname" required={false} />
          <TextField label={text.lastname} name="lastname" required={false} />
          <RoleChoice roles={roles} chosen={[]} />
          <SubmitRow label={text.inviteNow} />
        </form>
      )}
    </Dialog>
  )
}
