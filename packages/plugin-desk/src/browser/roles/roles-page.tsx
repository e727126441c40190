import { useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Asked } from '../page-parts/asked.tsx'
import { useOpened } from '../page-parts/version.tsx'
import type { Role } from '../people/give.ts'
import { useRoles } from '../people/people.ts'
import type { Answer } from '../requests/api.ts'
import { useText } from '../text/index.ts'
import { RoleForm } from './role-form.tsx'

/** The role that is open, and the one that was made at this place of the page. */
interface Place {
  readonly chosen: string | null
  readonly made: Answer<Role> | undefined
  /** Another number for each form. */
  readonly turn: number
}

/** A new role that is stored goes on in its form, at the address that it then has: what is changed meanwhile stays there. */
function usePlace(chosen: string | null) {
  const [place, setPlace] = useState<Place>({ chosen, made: undefined, turn: 0 })
  if (place.chosen !== chosen) {
    const goesOn = place.chosen === 'new' && String(place.made?.body.id) === chosen
    setPlace(goesOn ? { ...place, chosen } : { chosen, made: undefined, turn: place.turn + 1 })
  }
  return { ...place, setMade: (made: Answer<Role> | undefined) => setPlace((now) => ({ ...now, made })) }
}

/** The roles, one of which is open. The address names it: `/desk/roles?role=3`, and `?role=new`. */
export default function RolesPage() {
  const text = useText()
  const [, go] = useLocation()
  const chosen = new URLSearchParams(useSearch()).get('role')
  const { roles, own, asking } = useRoles()
  useEffect(() => {
    document.title = text.roles
  }, [text])
  const role = roles.find(({ id }) => String(id) === chosen)
  const isNew = chosen === 'new'
  const { made, setMade, turn } = usePlace(chosen)
  // The page stays, with its typed text, also when the list no longer has the role.
  const isAsked = asking.data !== undefined && !made && /^\d+$/.test(chosen ?? '')
  const opened = useOpened<Role>(isAsked ? `roles/${chosen}` : undefined)
  const shown = made ?? opened.data
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="head">
        <h1>{text.roles}</h1>
      </div>
      <nav className="views" aria-label={text.roles}>
        {roles.map(({ id, name }) => (
          <Link key={id} href={`/roles?role=${id}`} aria-current={role?.id === id ? 'page' : undefined}>
            {name}
          </Link>
        ))}
        <Link href="/roles?role=new" aria-current={isNew ? 'page' : undefined}>
          {text.newRole}
        </Link>
      </nav>
      <Asked of={{ [text.roles]: asking, ...(isAsked && { [role?.name ?? text.roles]: opened }) }} />
      {!asking.data ? null : isNew || shown ? (
        <RoleForm
          key={`${turn} ${opened.dataUpdatedAt}`}
          opened={shown}
          onTheirs={made ? () => setMade(undefined) : opened.refetch}
          own={own}
          onMade={(answer) => {
            setMade(answer)
            go(`/roles?role=${answer.body.id}`)
          }}
          onRemoved={() => go('/roles')}
        />
      ) : (
        chosen === null && <p className="empty">{text.chooseRole}</p>
      )}
    </main>
  )
}
