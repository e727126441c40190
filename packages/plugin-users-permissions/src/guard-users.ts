import type { PluginHost, WriteEvent } from '@octavo/core/plugin'
import { userUid } from './content-types.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { problem } from './problems.ts'
import type { Service } from './service.ts'
import { defaultNameLength, endTokens, userInput } from './users/user-input.ts'

declare module '@octavo/core' {
  interface RequestState {
    /** What proved that a request may write a user, as it was stored: a code or the password. The write is refused once that is another one. */
    readonly userProof?: Readonly<
      Partial<Record<'resetPasswordToken' | 'confirmationToken' | 'password', string | null>>
    >
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

/** @throws ValidationError when another request has used the code, or changed the password, since it was read */
async function requireProof({ id, state: { userProof = {} }, entries }: WriteEvent): Promise<void> {
  const user = id === undefined ? undefined : await entries.stored(userUid, id)
  for (const [name, proof] of Object.entries(userProof))
    if (user?.[name] !== proof) throw problem('auth/invalid', { message: refusals[name] ?? '' })
}

const refusals: Readonly<Record<string, string>> = {
  resetPasswordToken: 'Incorrect code provided',
  confirmationToken: 'Invalid token',
  password: 'The provided current password is invalid',
}
