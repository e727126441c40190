import { useQuery } from '@tanstack/react-query'
import { useSession } from '../model/session.tsx'
import { request } from '../requests/api.ts'
import { mayGive, type Role } from './give.ts'

export interface Person {
  readonly id: number
  readonly email: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly username: string | null
  readonly active: boolean
  /** Whether the person has set no password yet. */
  readonly invited: boolean
  readonly secondFactor: boolean
  /** Ids of roles. */
  readonly roles: readonly number[]
}

/** An answer with a link to set a password, which is in this answer only. */
export interface WithLink {
  readonly link: string
}

export const usePeople = () =>
  useQuery<readonly Person[]>({
    queryKey: ['people'],
    queryFn: ({ signal }) => request<readonly Person[]>('GET', 'people', { signal }).then(({ body }) => body),
  })

/** All roles with the request for them, the rights of the person, and the roles that it may give, which have no right that the person lacks. */
export function useRoles() {
  const { me } = useSession()
  const asking = useQuery<readonly Role[]>({
    queryKey: ['roles'],
    queryFn: ({ signal }) => request<readonly Role[]>('GET', 'roles', { signal }).then(({ body }) => body),
  })
  const roles = asking.data ?? []
  const mine = new Set(me.roles.map(({ id }) => id))
  const own = roles.filter(({ id }) => mine.has(id)).flatMap(({ rights }) => rights)
  return { roles, own, given: roles.filter((role) => mayGive(own, role)), asking }
}

export const personName = ({ firstname, lastname, username, email }: Person): string =>
  [firstname, lastname].filter(Boolean).join(' ') || username || email || ''
