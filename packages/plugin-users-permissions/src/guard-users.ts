import type { PluginHost } from '@octavo/core/plugin'
import { userUid } from './content-types.ts'
import type { UsersPermissionsOptions } from './options.ts'
import type { Service } from './service.ts'
import { defaultNameLength, endTokens, userInput } from './users/user-input.ts'

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
  host.hook('entry:afterUpdate', ({ id, entries }) => endTokens(id, entries, service().octavo.registry), {
    types,
    when: ({ input }) => Object.hasOwn(input, 'role'),
  })
}
