import type { Octavo, RequestState } from '@octavo/core'
import { stateOfCaller } from '../rights/caller.ts'
import { type Account, type Directory, directoryOf } from './directory.ts'

/**
 * The state of a request of a user, with the rights of the user's role. A plugin that identifies callers in another way than by a
 * token, such as one for single sign-on, returns it from `server:authenticate`.
 *
 * @returns `undefined` for a user who does not exist or is blocked.
 * @throws Error when the octavo does not have the plugin users-permissions.
 */
export async function stateOfUser(octavo: Octavo, id: number): Promise<RequestState | undefined> {
  const directory = directoryOf(octavo)
  if (!directory)
    throw new Error('This octavo does not have the plugin users-permissions, and so no rights of users')
  const account = await directory.account(id)
  return account && !account.blocked ? stateOfAccount(account, directory) : undefined
}

export async function stateOfAccount({ id, roleId }: Account, directory: Directory): Promise<RequestState> {
  const grants = await directory.grants(roleId)
  return { ...stateOfCaller({ grants, userId: id }), caller: `user ${id}` }
}
