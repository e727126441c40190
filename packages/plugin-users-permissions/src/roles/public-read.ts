import { ConfigurationError, type Logger, type Octavo } from '@octavo/core'
import type { UsersPermissionsOptions } from '../options.ts'
import type { Directory } from './directory.ts'

/** Permissions to read all content, for the role `public`, in memory. @throws ConfigurationError in production */
export function publicReads(
  octavo: Octavo,
  options: UsersPermissionsOptions,
  logger: Logger,
): readonly string[] {
  if (!(options.publicRead ?? process.env.OCTAVO_PUBLIC_READ === '1')) return []
  if (process.env.NODE_ENV === 'production')
    throw new ConfigurationError(
      'publicRead (--public-read) is for trying things out, and is refused with NODE_ENV=production; grant the role "public" what it may read: octavo permissions grant public <actions>',
    )
  logger.warn({}, 'Everybody may read all content, because of --public-read; no permission is stored')
  return [...octavo.actions.keys()].filter((action) => /^api::.*\.(find|findOne)$/.test(action))
}

/** Logs a command to run when no role has a permission for content: every request for it would get a 403. */
export async function warnWhenClosed({
  octavo,
  directory,
  logger,
}: {
  readonly octavo: Octavo
  readonly directory: Directory
  readonly logger: Logger
}): Promise<void> {
  const types = [...octavo.registry.contentTypes.keys()].filter((uid) => uid.startsWith('api::'))
  // The data file of this start may have brought roles, which are announced later.
  directory.forgetRoles()
  const roles = [...(await directory.roles()).values()]
  if (
    types.length === 0 ||
    roles.some(({ grants }) => grants.actions.some((action) => action.startsWith('api::')))
  )
    return
  logger.warn(
    {},
    `No role has a permission for content yet, so every request for it gets a 403. To allow everybody to read it, run: octavo permissions grant public 'api::*.find*' (with the same --content, --config and --database; stop the server first when its database is embedded). Without a change to the database: octavo start --public-read. In code: usersPermissions({ permissions: { public: ['${types[0]}.find'] } })`,
  )
}
