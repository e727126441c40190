import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { initialsOf } from '../model/rights.ts'
import { Asked } from '../page-parts/asked.tsx'
import { Bar } from '../page-parts/bar.tsx'
import { useOpening } from '../page-parts/opening.ts'
import { joined, useText } from '../text/index.ts'
import { Invitation } from './invitation.tsx'
import { type Person, personName, usePeople, useRoles } from './people.ts'
import { PersonDialog } from './person-dialog.tsx'

/** The people who write the content, with their roles. */
export default function PeoplePage() {
  const text = useText()
  const client = useQueryClient()
  const people = usePeople()
  const { roles, given, asking } = useRoles()
  const { data = [] } = people
  const [opened, open, close] = useOpening<Person>()
  const [isInviting, invite, endInviting] = useOpening<true>()
  useEffect(() => {
    document.title = text.people
  }, [text])
  const changed = () => client.invalidateQueries({ queryKey: ['people'] })
  // One who is deleted elsewhere is shown until the dialog is closed.
  const person = opened && (data.find(({ id }) => id === opened.id) ?? opened)
  return (
    <div className="room">
      <Bar>
        <span className="grow" />
        <button type="button" className="button main" disabled={!asking.data} onClick={() => invite(true)}>
          {text.invite}
        </button>
      </Bar>
      <main id="main" className="page" tabIndex={-1}>
        <div className="head">
          <h1>{text.people}</h1>
        </div>
        <Asked of={{ [text.people]: people, [text.roles]: asking }} />
        <ul className="people">
          {data.map((one) => (
            <PersonRow
              key={one.id}
              person={one}
              roles={roles.filter(({ id }) => one.roles.includes(id)).map(({ name }) => name)}
              onOpen={() => open(one)}
            />
          ))}
        </ul>
        {data.length === 1 && <p className="empty">{text.nobodyElse(text.invite)}</p>}
      </main>
      {isInviting && <Invitation roles={given} onDone={changed} onClose={endInviting} />}
      {person && asking.data && (
        <PersonDialog key={person.id} {...{ person, roles, given }} onDone={changed} onClose={close} />
      )}
    </div>
  )
}

interface PersonRowProps {
  readonly person: Person
  readonly roles: readonly string[]
  readonly onOpen: () => void
}

function PersonRow({ person, roles, onOpen }: PersonRowProps) {
  const text = useText()
  const name = personName(person)
  return (
    <li>
      <span className="avatar" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className="who">
        <button type="button" className="linked" onClick={onOpen}>
          {name}
        </button>
        <span className="num">{person.email}</span>
      </span>
      <span className="roles">{joined(roles, text)}</span>
      {!person.active ? (
        <span className="pill off">{text.deactivated}</span>
      ) : person.invited ? (
        <span className="pill draft">{text.invited}</span>
      ) : (
        <span className="pill live">{text.active}</span>
      )}
    </li>
  )
}
