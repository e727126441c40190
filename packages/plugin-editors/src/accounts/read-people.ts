/** People as answers have them. */
import type { Octavo, Queryable } from '@octavo/core'
import type { Identities } from './identities.ts'
import { type EditorRow, editorRows, rolesOf } from './rows.ts'
import type { SecondFactors } from './second-factor.ts'

/** A person as it is sent: never with the password. */
export interface Person extends Omit<EditorRow, 'password' | 'active'> {
  readonly active: boolean
  /** Whether the person has neither set a password nor signed in at the issuer yet. */
  readonly invited: boolean
  /** Whether signing in needs a code. */
  readonly secondFactor: boolean
  /** Ids of roles. */
  readonly roles: readonly number[]
}

interface Parts {
  readonly octavo: Pick<Octavo, 'registry'>
  readonly secondFactors: SecondFactors
  readonly identities: Identities
}

/** Reads people in the order of their ids. @param id The only person to be read. Default: all. */
export async function readPeople(
  db: Queryable,
  { octavo: { registry }, secondFactors, identities }: Parts,
  id?: number,
): Promise<readonly Person[]> {
  const rows = await editorRows(db, registry).find({
    ...(id !== undefined && { where: { id } }),
    orderBy: { id: 'asc' },
  })
  const roles = await rolesOf(
    db,
    registry,
    rows.map((row) => row.id),
  )
  const withFactor = await secondFactors.people(db)
  const withIdentity = await identities.people(db)
  return rows.map(({ password, active, ...row }) => ({
    ...row,
    active: active === true,
    invited: password === null && !withIdentity.has(row.id),
    secondFactor: withFactor.has(row.id),
    roles: roles.get(row.id) ?? [],
  }))
}
