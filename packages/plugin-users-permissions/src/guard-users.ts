import type { PluginHost, WriteEvent } from '@octavo/core/plugin'
import { userUid } from './content-types.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { problem } from './problems.ts'
import type { Service } from './service.ts'
import { defaultNameLength, endTokens, userInput } from './users/user-input.ts'

declare module '@octavo/core' {
  interface RequestState {
    /** The code that permits a write of a user, as it is stored. The same write ends it, so that a refused one leaves it. */
    readonly userCode?: Readonly<Partial<Record<'resetPasswordToken' | 'confirmationToken', string>>>
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
  host.hook('entry:beforeUpdate', requireCode, { types, when: ({ state }) => state.userCode !== undefined })
  host.hook('entry:afterUpdate', ({ id, entries }) => endTokens(id, entries, service().octavo.registry), {
    types,
    when: ({ input }) => Object.hasOwn(input, 'role'),
  })
}

/** @throws ValidationError when another request has used the code since it was found, or a newer one has taken its place */
async function requireCode({ id, state: { userCode = {} }, entries }: WriteEvent): Promise<void> {
  const user = id === undefined ? undefined : await entries.stored(userUid, id)
  for (const [name, hash] of Object.entries(userCode))
    if (user?.[name] !== hash) throw problem('auth/invalid', { message: 'Incorrect code provided' })
}
