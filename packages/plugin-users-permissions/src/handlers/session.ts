import type { OctavoError, Repeatable } from '@octavo/core'
import { problem as coreProblem } from '@octavo/core/plugin'
import type { RouteContext } from '@octavo/server'
import { userRows } from '../content-rows.ts'
import { roleUid, userUid } from '../content-types.ts'
import { matches } from '../input/password.ts'
import { send } from '../input/request.ts'
import { problem } from '../problems.ts'
import { stateOfCaller } from '../rights/caller.ts'
import { everything, type Grants, nothing, withActionOf } from '../rights/grants.ts'
import type { Service } from '../service.ts'
import type { Tools } from '../tools.ts'
import { readUser } from './users.ts'

/** The refusal of a login, with status 400. */
export const invalid = (message: string): OctavoError => problem('auth/invalid', { message })

/**
 * Checks that a request which was repeated with its key has the password of the first one: the key may be known to others.
 * @throws OctavoError 422 `entry/key-reused`
 */
export async function expectPassword({ service }: Tools, id: number, password: string): Promise<Checked> {
  const { store, registry } = service.octavo
  const user = await userRows(store, registry).first({ where: { id }, select: ['password', 'tokenVersion'] })
  if (!user || !(await matches(password, user.password))) throw coreProblem('entry/key-reused')
  return { id, tokenVersion: user.tokenVersion }
}

/** A user who may log in. */
export interface Checked {
  readonly id: number
  /** The version of the tokens when the password was read: a password that is changed meanwhile begins no session. Default: any. */
  readonly tokenVersion?: number | null
}

/** The id of a user in a stored answer, which has nothing else: a session is made anew. */
export const idOfStored = (answer: string): number => (JSON.parse(answer) as { readonly id: number }).id

const findRoles = `${roleUid}.find`

/**
 * A user as `/users/me` would return it with these grants.
 * @param registrant The grants of the caller of a registration, whose answer has the role if they allow to find roles.
 */
export function readSelf(
  service: Service,
  id: number,
  grants: Grants,
  registrant = nothing,
): ReturnType<typeof readUser> {
  const withRole = registrant.of(findRoles) !== undefined
  const caller = { grants: withRole ? withActionOf(grants, findRoles, registrant) : grants, userId: id }
  const query = withRole ? 'populate=role' : ''
  return readUser(service, { action: 'me', id, query, lenient: true, state: stateOfCaller(caller) })
}

/**
 * Responds with a token and the user, as `/users/me` would return it.
 * @param repeatable Set for a request that its client may repeat: the session of a repetition takes the place of the first one's.
 * @param registrant As that of {@link readSelf}.
 */
export async function sendSession(
  context: RouteContext,
  { service }: Tools,
  { id, tokenVersion }: Checked,
  repeatable?: Repeatable,
  registrant?: Grants,
): Promise<void> {
  const account = await service.directory.readAccount(id)
  const isChanged = tokenVersion !== undefined && account?.version !== (tokenVersion ?? 0)
  if (!account || isChanged) throw invalid('Invalid identifier or password')
  const begun = await service.refreshTokens?.begin({ userId: id, version: account.version }, repeatable?.key)
  const jwt = await service.tokens.make({
    id,
    version: account.version,
    ...(begun && { session: begun.family }),
  })
  const grants = await service.directory.grants(account.roleId)
  // A login returns the user even without the permission for `/users/me`.
  const shown = grants.of(`${userUid}.me`) ? grants : everything
  send(context, {
    jwt,
    ...(begun && { refreshToken: begun.token }),
    user: await readSelf(service, id, shown, registrant),
  })
}
