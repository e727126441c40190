import type { OctavoError } from '@octavo/core'
import type { PluginHost, WriteEvent } from '@octavo/core/plugin'
import { userUid } from './content-types.ts'
import type { UsersPermissionsOptions } from './options.ts'
import type { Service } from './service.ts'
import { defaultNameLength, endTokens, userInput } from './users/user-input.ts'

/** The stored code, password or subject with which a caller proved that they may write a user. */
interface UserProof {
  readonly attribute: 'resetPasswordToken' | 'confirmationToken' | 'password' | 'providerSubject'
  readonly value: string | null
  /** The error of a write whose user has another value by now. */
  readonly refusal: OctavoError
}

declare module '@octavo/core' {
  interface RequestState {
    /** Set by the routes of accounts. Default: the write needs no proof. */
    readonly userProof?: UserProof
  }
}

/** Checks every write of a user, and ends the tokens of a user whose role changes. */
export function guardUsers(
  host: PluginHost,
  service: () => Service,
  { usernames }: UsersPermissionsOptions,
): void {
  const nameLength = usernames?.maxLength ?? defaultNameLength
  const types = [userUid]
  host.hook('entry:input', (input, event) => userInput(input, event, nameLength, service().octavo.registry), {
    types,
  })
  host.hook('entry:beforeUpdate', requireProof, {
    types,
    when: ({ state }) => state.userProof !== undefined,
  })
  host.hook('entry:afterUpdate', ({ id, entries }) => endTokens(id, entries, service().octavo.registry), {
    types,
    when: ({ input }) => Object.hasOwn(input, 'role'),
  })
}

/** @throws OctavoError when another request has used the code, or changed the password or the subject, since it was read */
async function requireProof({ id, state: { userProof }, entries }: WriteEvent): Promise<void> {
  if (userProof === undefined || id === undefined) return
  const user = await entries.stored(userUid, id)
  if (user?.[userProof.attribute] !== userProof.value) throw userProof.refusal
}
