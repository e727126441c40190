import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { Answer } from '../api.ts'
import { Asked } from '../asked.tsx'
import type { Role } from '../people/give.ts'
import { useRoles } from '../people/people.ts'
import { useText } from '../text/index.ts'
import { useOpened } from '../version.tsx'
import { RoleForm } from './role-form.tsx'

/** A new role that is stored goes on in its form, at the address that it then has: what is changed meanwhile stays there. */
function useMade(chosen: string | null) {
  const [made, make] = useState<Answer<Role>>()
  const at = useRef({ chosen, turn: 0, made: '' })
  if (at.current.chosen !== chosen) {
    const own = made ? String(made.body.id) : ''
    const goesOn = at.current.chosen === 'new' && own === chosen
    at.current = goesOn
      ? { ...at.current, chosen, made: own }
      : { chosen, turn: at.current.turn + 1, made: '' }
  }
  return { made: at.current.made === '' ? undefined : made, make, turn: at.current.turn }
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
  const { made, make, turn } = useMade(chosen)
  // Also where the list has it no longer: what was typed stays there.
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
          onTheirs={made ? () => make(undefined) : opened.refetch}
          own={own}
          onMade={(answer) => {
            make(answer)
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
