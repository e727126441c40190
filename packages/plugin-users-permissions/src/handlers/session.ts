import type { OctavoError, Repeatable } from '@octavo/core'
import type { RouteContext } from '@octavo/server'
import { userUid } from '../content-types.ts'
import { send } from '../input/request.ts'
import { problem } from '../problems.ts'
import { stateOfCaller } from '../rights/caller.ts'
import { everything } from '../rights/grants.ts'
import type { Tools } from '../tools.ts'
import { readUser } from './users.ts'

/** The refusal of a login, with status 400. */
export const invalid = (message: string): OctavoError => problem('auth/invalid', { message })

/**
 * Responds with a token and the user, as `/users/me` would return it.
 * @param repeatable Set for a request that its client may repeat: the session of a repetition takes the place of the first one's.
 */
export async function sendSession(
  context: RouteContext,
  { service }: Tools,
  id: number,
  repeatable?: Repeatable,
): Promise<void> {
  const account = await service.directory.readAccount(id)
  if (!account) throw invalid('Invalid identifier or password')
  const begun = await service.refreshTokens?.begin({ userId: id, version: account.version }, repeatable?.key)
  const jwt = await service.tokens.make({
    id,
    version: account.version,
    ...(begun && { session: begun.family }),
  })
  const grants = await service.directory.grants(account.roleId)
  // A login returns the user even without the permission for `/users/me`.
  const caller = { grants: grants.of(`${userUid}.me`) ? grants : everything, userId: id }
  send(context, {
    jwt,
    ...(begun && { refreshToken: begun.token }),
    user: await readUser(service, { action: 'me', id, query: '', state: stateOfCaller(caller) }),
  })
}
