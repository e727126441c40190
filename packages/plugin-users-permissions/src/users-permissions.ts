import { randomUUID } from 'node:crypto'
import { checkOptions, withFurtherAttributes } from '@octavo/core/internal'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { announceChanges } from './announce-changes.ts'
import { admitCallers } from './authenticate.ts'
import { anything, type Change } from './changes.ts'
import { ownNames, permissionType, roleType, userType } from './content-types.ts'
import { describeUsers } from './describe/describe.ts'
import { enforceRights } from './enforce-rights.ts'
import { guardUsers } from './guard-users.ts'
import { addTokenRoutes } from './handlers/api-tokens.ts'
import { optionKeys, type UsersPermissionsOptions } from './options.ts'
import { permissionCommands } from './roles/permission-commands.ts'
import { warnOfRoles } from './roles/warnings.ts'
import { addRoutes, routeActions } from './routes.ts'
import { startService } from './service.ts'
import { declareTables } from './tables.ts'
import { apiTokensSection } from './transfer/api-tokens-section.ts'
import { rolesSection } from './transfer/roles-section.ts'
import { usersSection } from './transfer/users-section.ts'

/**
 * Users, roles and permissions. An anonymous request has the role `public`. A role may do only what its permissions name, at
 * every node of a query: a type without `find` is not populated, and is unknown to filters and sort.
 * Source: docs/contract/accounts-and-files.md#callers.
 *
 *     usersPermissions({ permissions: { public: ['api::article.article.find'] } })
 */
export const usersPermissions = (options: UsersPermissionsOptions = {}): Plugin =>
  definePlugin({
    name: 'users-permissions',
    guards: 'roles, permissions and conditions have no effect, so everybody may read everything',
    setup(host) {
      checkOptions(options, optionKeys, 'usersPermissions')
      const tables = declareTables(host)
      const self = randomUUID()
      const service = host.start((octavo) =>
        startService({ octavo, options, tables, changes, self, logger: host.logger }),
      )
      const changes = host.channel<Change>((change = anything) => {
        if (change.from !== self) service().forget(change)
      })
      host.hook('octavo:stop', () => service().close())

      host.contentType(roleType)
      host.contentType(permissionType)
      host.contentType(withFurtherAttributes(options.user, userType, { logger: host.logger, own: ownNames }))

      enforceRights(host, service, options)
      guardUsers(host, service, options)
      announceChanges(host, service)
      admitCallers(host, service)

      const context = { octavo: () => service().octavo, changes: () => changes }
      host.section('roles', rolesSection(context))
      host.section('users', usersSection(context))
      host.section('apiTokens', apiTokensSection(tables.apiTokens, context.changes))

      const ownState = host.unrestricted(
        'its routes write users, roles and permissions that they have checked',
      )
      host.actions(routeActions)
      host.hook('server:routes', (routes) => addRoutes(routes, { service, options, ownState }))
      host.hook('server:manage', (routes) => addTokenRoutes(routes, service))
      host.hook('server:describe', (schemas) => describeUsers(schemas, options))
      for (const [words, command] of permissionCommands(() => service().directory, ownState))
        host.command(words, command)
      host.hook('server:listen', () => warnOfRoles(service(), options))
    },
  })
