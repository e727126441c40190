/** `@octavo/server/attempts`: limits of attempts to log in, logins by providers, and emails, for plugins with accounts. */
export { AttemptLimits, type AttemptLimitsOptions } from './attempts/attempt-limits.ts'
export { type AttemptTables, declareAttemptTables } from './attempts/attempt-tables.ts'
export { Background, withMailTimes } from './attempts/background.ts'
export type { AttemptLimiter, AttemptLimiterOptions, AttemptResult } from './attempts/limiters.ts'
export { abandonedLoginCookies, loginCookieName } from './attempts/login-cookies.ts'
export { type Claims, reasonOfFailure, sendSecret, verifiedAddress } from './attempts/open-id.ts'
export { type ProviderRequest, providerFetch } from './attempts/provider-fetch.ts'
