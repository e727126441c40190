/** `@octavo/server/attempts`: limits of attempts to log in, and logins by providers, for plugins with accounts. */
export { AttemptLimits, type AttemptLimitsOptions } from './attempts/attempt-limits.ts'
export { type AttemptTables, declareAttemptTables } from './attempts/attempt-tables.ts'
export type { AttemptLimiter, AttemptLimiterOptions, AttemptResult } from './attempts/limiters.ts'
export { abandonedLoginCookies, loginCookieName } from './attempts/login-cookies.ts'
export { type ProviderRequest, providerFetch } from './attempts/provider-fetch.ts'
