import { type FormEvent, useState } from 'react'
import { useSecret } from '../managed/secret-note.tsx'
import { useSession } from '../model/session.tsx'
import { SubmitRow } from '../page-parts/desk-parts.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { nowSaved } from '../page-parts/unsaved.ts'
import { useChanges } from '../page-parts/version.tsx'
import { request } from '../requests/api.ts'
import { joined, useText } from '../text/index.ts'
import type { Role } from './give.ts'
import { type Person, personName, type WithLink } from './people.ts'
import { RoleChoice } from './role-choice.tsx'

interface PersonDialogProps {
  readonly person: Person
  readonly roles: readonly Role[]
  /** The roles that may be given. */
  readonly given: readonly Role[]
  /** Asks for the list again. A dialog that closes before it would open with what was there. */
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}

/** The roles of a person, and what else may be done. People with more rights than one's own are shown only. */
export function PersonDialog({ person, roles, given, onDone, onClose }: PersonDialogProps) {
  const text = useText()
  const { me } = useSession()
  const link = useSecret(text.linkOnce, text.copyLink)
  // The values that the form was drawn with, which is drawn anew for those of somebody else.
  const [{ shown, turn }, show] = useState({ shown: { roles: person.roles }, turn: 0 })
  const path = `people/${person.id}`
  const { inTurn, trouble, save } = useChanges(path, shown, ({ roles: theirs }) =>
    show({ shown: { roles: theirs }, turn: turn + 1 }),
  )
  const isMe = person.id === me.person.id
  const isBelow = person.roles.every((id) => given.some((role) => role.id === id))
  const change = (of: string, work: () => Promise<unknown>, done?: () => void) =>
    inTurn(async () => {
      await work()
      await onDone()
      done?.()
    }, of)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const chosen = new FormData(form).getAll('roles').map(Number)
    // The dialog is closed with the save.
    if (!link.mayEnd()) return
    const before = link.latest()
    // A link that has arrived since has been seen by nobody.
    const done = () => (link.latest() === before ? onClose() : nowSaved(form))
    void change('roles', () => save({ roles: chosen }), done)
  }
  const newLink = () =>
    change('link', async () => link.show((await request<WithLink>('POST', `${path}/link`)).body.link))
  const setActive = (active: boolean) => change('active', () => request('PUT', path, { body: { active } }))
  return (
    <Dialog title={personName(person)} onClose={onClose}>
      {trouble}
      <p>{person.email}</p>
      {isBelow ? (
        <form className="sign-in" onSubmit={submit}>
          <RoleChoice key={turn} roles={given} chosen={shown.roles} />
          <SubmitRow label={text.save} />
        </form>
      ) : (
        <p>
          {joined(
            roles.filter(({ id }) => person.roles.includes(id)).map(({ name }) => name),
            text,
          )}
          <span className="hint"> {text.moreThanOwn}</span>
        </p>
      )}
      {link.note}
      {isBelow && !isMe && (
        <div className="row dialog-foot">
          {person.active && (
            <button type="button" className="button" onClick={newLink}>
              {text.newLink}
            </button>
          )}
          {person.secondFactor && (
            <button
              type="button"
              className="button"
              onClick={() => change('factor', () => request('DELETE', `${path}/second-factor`))}
            >
              {text.endFactor}
            </button>
          )}
          <button
            type="button"
            className={person.active ? 'button quiet danger' : 'button'}
            onClick={() => setActive(!person.active)}
          >
            {person.active ? text.deactivate : text.activate}
          </button>
        </div>
      )}
      {isBelow && !isMe && person.active && <p className="hint">{text.deactivateWhy}</p>}
    </Dialog>
  )
}
