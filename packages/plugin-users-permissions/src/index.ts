/** The public surface of @octavo/plugin-users-permissions. */

import '@octavo/core/engine'

export type { Where, WhereValue } from '@octavo/core'
export type { AttemptLimiter, AttemptLimiterOptions, AttemptResult } from '@octavo/server/attempts'
export type { EmailOptions, Template, Templates } from './mail/email.ts'
export type { JwtOptions, OAuthProvider, UsersPermissionsOptions } from './options.ts'
export { problem as usersPermissionsProblem } from './problems.ts'
export { type Caller, callerOf, stateOfCaller } from './rights/caller.ts'
export type { Grants, Permission } from './rights/grants.ts'
export { stateOfUser } from './roles/user-state.ts'
export { type ApiToken, type ApiTokens, apiTokensOf, type NewApiToken } from './tokens/api-tokens.ts'
export { usersPermissions } from './users-permissions.ts'
