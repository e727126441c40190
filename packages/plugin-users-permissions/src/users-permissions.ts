import { randomUUID } from 'node:crypto'
import { definePlugin, type Model, type Plugin, type RequestState, type WriteEvent } from '@octavo/core'
import type { Action } from '@octavo/server'
import { LRUCache } from 'lru-cache'
import { addedAttributes } from './added-attributes.ts'
import { apiTokensSection } from './api-tokens-section.ts'
import { authenticator } from './authenticate.ts'
import { type Caller, callerOf } from './caller.ts'
import { anything, type Change } from './changes.ts'
import { checkPermission } from './check-permissions.ts'
import { permissionType, permissionUid, roleType, roleUid, userType, userUid } from './content-types.ts'
import { DeclaredActions } from './declared-actions.ts'
import { type Grants, nothing } from './grants.ts'
import { withoutHiddenUnique } from './hidden-unique.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { permissionCommands } from './permission-commands.ts'
import { problem } from './problems.ts'
import { warnWhenClosed } from './public-read.ts'
import { isGuarded, permissionAtRoot, Rights } from './rights.ts'
import { addRoutes, routeActions } from './routes.ts'
import { rolesSection, usersSection } from './sections.ts'
import { startService } from './service.ts'
import { declareTables } from './tables.ts'
import { defaultNameLength, endTokens, userInput } from './user-input.ts'

/** Different rights that are remembered by their key; far more than a server has roles. */
const keptGrants = 5_000

/**
 * Users, roles and permissions: who may do what. Nobody in particular has the role `public`, and a role may do only what
 * a permission names, at every place of a query: what it may not `find` is not populated, and is unknown to filters and
 * sort. Source: spec, "Authentication".
 *
 *     usersPermissions({ permissions: { public: ['api::article.article.find'] } })
 */
export const usersPermissions = (options: UsersPermissionsOptions = {}): Plugin =>
  definePlugin({
    name: 'users-permissions',
    guards: 'roles, permissions and conditions have no effect, so everybody may read everything',
    setup(host) {
      const tables = declareTables(host)
      const self = randomUUID()
      const running = host.start((octavo) =>
        startService({ octavo, options, tables, changes, self, logger: host.logger }),
      )
      const changes = host.channel<Change>((change = anything) => {
        if (change.from !== self) running().forget(change)
      })
      const sections = { octavo: () => running().octavo, changes: () => changes }

      host.contentType(roleType)
      host.contentType(permissionType)
      host.contentType(userType(addedAttributes(options.user)))
      host.actions(routeActions)
      host.section('roles', rolesSection(sections))
      host.section('users', usersSection(sections))
      host.section(
        'apiTokens',
        apiTokensSection(tables.apiTokens, () => changes),
      )

      // The rights that facts spoke of, so that a hook, which sees only the fact's text, finds them again.
      const known = new LRUCache<string, Grants>({ max: keptGrants })
      const fact = host.fact('caller', (state: RequestState) => {
        const caller = callerOf(state)
        const grants = caller?.grants ?? running().publicGrants()
        known.set(grants.key, grants)
        return `${grants.key} ${caller?.admitted ?? ''}`
      })
      const ownId = host.runtimeValue('user.id', (state) => callerOf(state)?.userId ?? null)

      const actions = new DeclaredActions(() => running().octavo.actions)
      const rights = new Rights({
        actions,
        asked: (context) => {
          const [key = '', admitted = ''] = context.fact(fact).split(' ')
          return { grants: known.get(key) ?? nothing, admitted }
        },
        registry: () => running().octavo.registry,
        ownId,
        farSide: options.farSide ?? 'update',
      })
      host.hook('query:node', (node, context) => rights.narrow(node, context))
      host.hook('query:attribute', (attribute, node, context) => rights.shows(attribute, node, context))
      host.hook('entry:input', (input, { action, by, type, state }) => {
        // A write for a type of another plugin's is that plugin's business, and so is what a plugin writes further.
        if (!isGuarded(type) || by === 'plugin') return input
        const caller = callerOf(state) ?? { grants: running().publicGrants() }
        const fields = permissionAtRoot(type, action, caller, actions)?.fields
        return fields
          ? Object.fromEntries(Object.entries(input).filter(([name]) => fields.includes(name)))
          : input
      })

      host.hook('entry:input', withoutHiddenUnique)
      host.hook('entry:input', (input, event) =>
        event.type.uid === userUid
          ? userInput(
              input,
              event,
              options.usernames?.maxLength ?? defaultNameLength,
              running().octavo.registry,
            )
          : input,
      )
      host.hook('entry:afterUpdate', async ({ type, id, input, entries }) => {
        if (type.uid === userUid && Object.hasOwn(input, 'role'))
          await endTokens(id, entries, running().octavo.registry)
      })
      const changeOf = ({
        type,
        id,
      }: {
        readonly type: Model
        readonly id: number | undefined
      }): Change | undefined => {
        if (type.uid === userUid) return { account: id ?? 0 }
        // A role may have been given users or permissions.
        if (type.uid === roleUid || type.uid === permissionUid) return { account: 0, roles: true }
        return undefined
      }
      const tellOthers = async (event: WriteEvent): Promise<void> => {
        const change = changeOf(event)
        if (change) await running().tellOthers(change, event.entries)
      }
      host.hook('entry:afterCreate', tellOthers)
      host.hook('entry:afterUpdate', tellOthers)
      host.hook('entry:afterDelete', tellOthers)
      host.hook('entry:committed', (event) => {
        const change = changeOf(event)
        if (change) running().forget(change)
      })

      host.hook('octavo:start', (octavo) => {
        for (const [role, list] of Object.entries(options.permissions ?? {})) {
          for (const item of list) {
            const permission = typeof item === 'string' ? { action: item } : item
            checkPermission(permission, octavo, `permissions.${role}`)
            const uid = octavo.actions.get(permission.action)?.entries?.type
            // A mistake in a condition stops the start, rather than each request that meets it.
            if (permission.where && uid !== undefined)
              rights.condition(permission, octavo.registry.contentType(uid))
          }
        }
      })
      host.hook('octavo:stop', () => running().close())

      host.hook('server:authenticate', authenticator(running))
      host.hook('server:authorize', ({ name }: Action, state: RequestState) => {
        const caller = callerOf(state)
        if (!caller?.grants.of(name)) throw problem('auth/forbidden')
        admit(caller, name)
      })
      const asItself = host.unrestricted(
        'its routes write users, roles and permissions that they have checked',
      )
      const commands = permissionCommands(() => ({ directory: running().directory, asItself }))
      for (const [words, command] of commands) host.command(words, command)
      host.hook('server:listen', () => {
        const { octavo, directory, logger } = running()
        return warnWhenClosed(octavo, directory, logger)
      })
      host.hook('server:routes', (routes) => addRoutes(routes, { running, options, asItself }))
    },
  })

/** Remembers what the route was let in for: it belongs to this request alone. */
const admit = (caller: Caller, name: string): void => {
  caller.admitted = name
}
