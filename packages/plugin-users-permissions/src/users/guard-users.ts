import type { PluginHost } from '@octavo/core'
import { userUid } from '../content-types.ts'
import type { UsersPermissionsOptions } from '../options.ts'
import type { Service } from '../service.ts'
import { defaultNameLength, endTokens, userInput } from './user-input.ts'

/** Checks every write of a user, and ends the tokens of a user whose role changes. */
export function guardUsers(
  host: PluginHost,
  service: () => Service,
  { usernames }: UsersPermissionsOptions,
): void {
  const nameLength = usernames?.maxLength ?? defaultNameLength
  host.hook('entry:input', (input, event) =>
    event.type.uid === userUid ? userInput(input, event, nameLength, service().octavo.registry) : input,
  )
  host.hook('entry:afterUpdate', async ({ type, id, input, entries }) => {
    if (type.uid === userUid && Object.hasOwn(input, 'role'))
      await endTokens(id, entries, service().octavo.registry)
  })
}
