/** The public surface of @octavo/plugin-users-permissions. */

import '@octavo/core/engine'

export { type ApiToken, type ApiTokens, apiTokensOf, type NewApiToken } from './api-tokens.ts'
export { type Caller, callerOf, stateOfCaller } from './caller.ts'
export type { EmailOptions, Template, Templates } from './email.ts'
export type { Grants, Permission, Where, WhereValue } from './grants.ts'
export type { JwtOptions, OAuthProvider, UsersPermissionsOptions } from './options.ts'
export { problem as usersPermissionsProblem } from './problems.ts'
export { usersPermissions } from './users-permissions.ts'
