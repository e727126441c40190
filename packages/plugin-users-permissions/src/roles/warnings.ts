import type { Logger, Octavo } from '@octavo/core'
import { defaultRoleOf, type UsersPermissionsOptions } from '../options.ts'
import { type Directory, ofType, type Role } from './directory.ts'

interface Roles {
  readonly octavo: Octavo
  readonly directory: Directory
  readonly logger: Logger
}

/** Logs what roles lack that a server needs. Each request that needs it is refused, but not each server has such requests. */
export async function warnOfRoles(
  { octavo, directory, logger }: Roles,
  options: UsersPermissionsOptions,
): Promise<void> {
  // The data file of this start may have brought roles, which are announced later.
  directory.forgetRoles()
  const roles = await directory.roles()
  const [type] = [...octavo.registry.contentTypes.keys()].filter((uid) => uid.startsWith('api::'))
  if (type !== undefined && isClosed(roles))
    logger.warn(
      {},
      `No role has a permission for content yet, so every request for it gets a 403. To allow everybody to read it, run: octavo permissions grant public 'api::*.find*' (with the same --content, --config and --database; stop the server first when its database is embedded). Without a change to the database: octavo start --public-read. In code: usersPermissions({ permissions: { public: ['${type}.find'] } })`,
    )
  const role = defaultRoleOf(options)
  if (options.register?.enabled !== false && !ofType(roles, role))
    logger.warn(
      { role },
      `There is no role of the type "${role}", which new users get, so every registration is refused. Create the role, or name another one in register.defaultRole`,
    )
}

/** Whether no role has a permission for content: every request for it would get a 403. */
const isClosed = (roles: ReadonlyMap<number, Role>): boolean =>
  ![...roles.values()].some(({ grants }) => grants.actions.some((action) => action.startsWith('api::')))
