import { useEffect } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Asked } from '../asked.tsx'
import type { Role } from '../people/give.ts'
import { useRoles } from '../people/people.ts'
import { useText } from '../text/index.ts'
import { useOpened } from '../version.tsx'
import { RoleForm } from './role-form.tsx'

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
  const opened = useOpened<Role>(role && `roles/${role.id}`)
  const isNew = chosen === 'new'
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
      <Asked of={{ [text.roles]: asking, ...(role?.name && { [role.name]: opened }) }} />
      {!asking.data ? null : isNew || opened.data ? (
        <RoleForm
          key={`${chosen} ${opened.dataUpdatedAt}`}
          opened={opened.data}
          onTheirs={opened.refetch}
          own={own}
          onSaved={(id) => go(id === undefined ? '/roles' : `/roles?role=${id}`)}
        />
      ) : (
        !role && <p className="empty">{text.chooseRole}</p>
      )}
    </main>
  )
}
