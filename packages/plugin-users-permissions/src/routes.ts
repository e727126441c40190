import { type ActionDeclaration, allLimits } from '@octavo/core/plugin'
import type { RouteContext, Routes } from '@octavo/server'
import { AttemptLimits } from '@octavo/server/attempts'
import { roleUid, userUid } from './content-types.ts'
import { changePassword, forgotPassword, resetPassword } from './handlers/change-password.ts'
import { emailConfirmation, sendEmailConfirmation } from './handlers/confirm-email.ts'
import { login, logout, refresh } from './handlers/login.ts'
import * as oauth from './handlers/oauth.ts'
import { register } from './handlers/register.ts'
import * as roles from './handlers/roles.ts'
import * as users from './handlers/users.ts'
import { problem } from './problems.ts'
import type { Service } from './service.ts'
import type { Tools } from './tools.ts'

/** The actions of users whose handlers only use `read` and `write`, with core's name of each. */
const userActions: Readonly<Record<string, string>> = {
  'user.find': 'find',
  'user.findOne': 'findOne',
  'user.count': 'count',
  'user.me': 'me',
  'user.create': 'create',
  'user.update': 'update',
  'user.destroy': 'delete',
}

const actionName = (action: string): string => `plugin::users-permissions.${action}`

/** The actions that the routes below require. */
export const routeActions = (): readonly ActionDeclaration[] =>
  [...new Set(table.map(([, , action]) => action))].map((action) => {
    const as = Object.hasOwn(userActions, action) ? userActions[action] : undefined
    if (as !== undefined)
      return { name: actionName(action), entries: { type: userUid, as }, enforces: allLimits }
    if (action === 'role.find') return { name: actionName(action), entries: { type: roleUid, as: 'find' } }
    return { name: actionName(action) }
  })

type Handler = (context: RouteContext, tools: Tools) => Promise<void>

/** Method, path, required action, handler. The order matters: `/users/me` is before `/users/:id`. */
const table: readonly (readonly ['GET' | 'POST' | 'PUT' | 'DELETE', string, string, Handler])[] = [
  ['POST', '/auth/local', 'auth.callback', login],
  ['POST', '/auth/local/register', 'auth.register', register],
  ['POST', '/auth/forgot-password', 'auth.forgotPassword', forgotPassword],
  ['POST', '/auth/reset-password', 'auth.resetPassword', resetPassword],
  ['POST', '/auth/change-password', 'auth.changePassword', changePassword],
  ['GET', '/auth/email-confirmation', 'auth.emailConfirmation', emailConfirmation],
  ['POST', '/auth/send-email-confirmation', 'auth.sendEmailConfirmation', sendEmailConfirmation],
  ['GET', '/connect/:provider', 'auth.connect', oauth.connect],
  ['GET', '/connect/:provider/callback', 'auth.connect', oauth.connectCallback],
  ['POST', '/connect/:provider/token', 'auth.connect', oauth.connectToken],
  ['GET', '/users', 'user.find', users.find],
  ['GET', '/users/count', 'user.count', users.count],
  ['GET', '/users/me', 'user.me', users.me],
  ['GET', '/users/:id', 'user.findOne', users.findOne],
  ['POST', '/users', 'user.create', users.create],
  ['PUT', '/users/:id', 'user.update', users.update],
  ['DELETE', '/users/:id', 'user.destroy', users.destroy],
  ['GET', '/users-permissions/roles', 'role.find', roles.find],
  ['GET', '/users-permissions/roles/:id', 'role.findOne', roles.findOne],
  ['POST', '/users-permissions/roles', 'role.createRole', roles.create],
  ['PUT', '/users-permissions/roles/:id', 'role.updateRole', roles.update],
  ['DELETE', '/users-permissions/roles/:id', 'role.deleteRole', roles.destroy],
  ['GET', '/users-permissions/permissions', 'permissions.getPermissions', roles.permissions],
]

/** Routes that require no permission, since the token in the body authorises the request. */
const openRoutes: readonly (readonly ['POST', string, Handler])[] = [
  ['POST', '/auth/refresh', refresh],
  ['POST', '/auth/logout', logout],
]

export function addRoutes(
  routes: Routes,
  { service: running, ...given }: Pick<Tools, 'options' | 'ownState'> & { readonly service: () => Service },
): void {
  const { options } = given
  let limit: AttemptLimits | undefined
  const handled =
    (handler: Handler) =>
    async (context: RouteContext): Promise<void> => {
      const service = running()
      limit ??= new AttemptLimits(options.rateLimit, routes, {
        store: service.octavo.store,
        tables: service.tables,
        refused: () => problem('auth/too-many-attempts'),
      })
      const { prefix } = routes
      await handler(context, {
        ...given,
        service,
        limit,
        prefix,
        repeatable: (context, content) => routes.repeatable(context, content),
        actions: () => routes.actions(),
      })
    }
  for (const [method, path, action, handler] of table) {
    routes.add({
      method,
      path,
      action: actionName(action),
      body: method === 'POST' || method === 'PUT' ? 'fields' : 'none',
      handler: handled(handler),
    })
  }
  if (!options.refreshTokens) return
  for (const [method, path, handler] of openRoutes)
    routes.add({ method, path, body: 'fields', handler: handled(handler) })
}
