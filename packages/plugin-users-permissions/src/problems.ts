import {
  ApplicationError,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
} from '@octavo/core'
import { asGiven, inSummary } from '@octavo/core/internal'
import { defineProblems } from '@octavo/core/plugin'

/** The problems of logins, users and roles. */
export const problem = defineProblems({
  'auth/bad-credentials': {
    error: UnauthorizedError,
    message: 'Missing or invalid credentials',
    when: 'a token that is malformed, has expired, or was ended',
  },
  'auth/bad-refresh-token': {
    error: UnauthorizedError,
    message: 'The refresh token is not valid',
    when: 'a refresh token that is unknown, used already, or has expired',
  },
  'auth/not-logged-in': {
    error: UnauthorizedError,
    message: asGiven,
    when: 'a request without a login to a route that needs one',
  },
  'auth/forbidden': {
    error: ForbiddenError,
    message: 'Forbidden',
    when: 'the caller has no permission for this action',
  },
  'auth/invalid': {
    error: ValidationError,
    message: asGiven,
    when: 'a login, registration, code or password that is not right',
  },
  'auth/blocked': {
    error: ApplicationError,
    message: 'Your account has been blocked by an administrator',
    when: 'a user who is blocked',
  },
  'auth/not-confirmed': {
    error: ApplicationError,
    message: 'Your account email is not confirmed',
    when: 'a user whose address is not confirmed',
  },
  'auth/confirmed': {
    error: ApplicationError,
    message: (d: { blocked: boolean }) => (d.blocked ? 'User blocked' : 'Already confirmed'),
    when: 'a request to confirm an address that is confirmed already',
  },
  'auth/taken': {
    error: ApplicationError,
    message: 'Email or Username are already taken',
    when: 'a registration with a name or address of another user',
  },
  'auth/register-off': {
    error: ApplicationError,
    message: 'Register action is currently disabled',
    when: 'registration is off',
  },
  'auth/no-role': {
    error: ApplicationError,
    message: 'Impossible to find the default role',
    when: 'the role that new users get does not exist',
  },
  'auth/connect': {
    error: ValidationError,
    message: asGiven,
    when: 'a login through another service that failed',
  },
  'auth/no-provider': {
    error: NotFoundError,
    message: 'There is no such provider',
    when: 'a login through a service that is not configured',
  },
  'auth/too-many-attempts': {
    error: RateLimitError,
    message: 'Too many requests, please try again later.',
    when: 'too many attempts; `Retry-After` has the seconds to wait',
  },
  'auth/no-token': { error: NotFoundError, message: 'Not Found', when: 'no such API token' },
  'auth/too-many-tokens': {
    error: ApplicationError,
    message: (d: { most: number }) => `There are ${d.most} API tokens; end one first`,
    when: 'a new API token where there are 1,000',
  },
  'body/invalid': {
    error: ValidationError,
    message: inSummary,
    when: 'a body of the routes of users, roles and logins with wrong values; all mistakes at once',
  },
  'user/too-many': {
    error: ValidationError,
    message: (d: { limit: number }) =>
      `There are more than ${d.limit} users: request them by start and limit, e.g. ?start=0&limit=1000`,
    when: 'a list of all users where there are more than 10,000; use `start` and `limit`',
  },
  'user/not-found': {
    error: NotFoundError,
    message: (d: { message?: string }) => d.message ?? 'Not Found',
    when: 'no such user',
  },
  'user/taken': {
    error: ApplicationError,
    message: (d: { attribute: 'username' | 'email' }) =>
      `${d.attribute === 'email' ? 'Email' : 'Username'} already taken`,
    when: 'a name or address of another user',
  },
  'role/not-found': { error: NotFoundError, message: 'Role not found', when: 'no such role' },
  'role/taken': {
    error: ApplicationError,
    message: 'There is already a role of this name',
    when: 'the name of another role',
  },
  'role/needed': {
    error: ApplicationError,
    message: (d: { type: string }) => `The role "${d.type}" cannot be deleted`,
    when: 'a delete of the role `public` or `authenticated`',
  },
})
