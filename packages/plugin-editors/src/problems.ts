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

/** The problems of editors and their rights. */
export const problem = defineProblems({
  'desk/not-signed-in': {
    error: UnauthorizedError,
    message: 'Sign in first',
    when: 'a request without a session, with one that has ended, or with one of another person than `Octavo-Person` names',
  },
  'desk/bad-credentials': {
    error: ValidationError,
    message: 'Invalid credentials',
    when: 'a sign-in with a wrong password, of nobody, or of a person who is not active',
  },
  'desk/passwords-off': {
    error: ForbiddenError,
    message: 'Passwords are off: sign in at the issuer',
    when: 'a request about passwords where `passwords` is off',
  },
  'desk/no-account': {
    error: ForbiddenError,
    message: 'There is no person with this account',
    when: 'a sign-in at the issuer of a person who has no account, or is not active; the browser is led to `/desk?refused=no-account`',
  },
  'desk/code-required': {
    error: ValidationError,
    message: 'Send a code of the second factor',
    when: 'a sign-in with the right password and without `code`, of a person with a second factor',
  },
  'desk/bad-code': {
    error: ValidationError,
    message: 'The code is not valid',
    when: 'a code of a second factor that is wrong, late, or used',
  },
  'desk/key-missing': {
    error: ApplicationError,
    message: 'The second factor of this account cannot be checked; use a code for recovery',
    when: 'a code of an app whose secret is encrypted with a key that the server does not have; codes for recovery are accepted',
  },
  'desk/second-factor-on': {
    error: ApplicationError,
    message: 'There is a second factor already',
    when: 'a new second factor beside one that is in use',
  },
  'desk/other-site': {
    error: ForbiddenError,
    message:
      'The request comes from another site, or a proxy before the server does not pass its header Host on',
    when: 'a request of a page of another origin, or a change that says no origin',
  },
  'desk/bad-link': {
    error: ValidationError,
    message: 'The link is no longer valid',
    when: 'a link of an invitation or a forgotten password that was used, has ended, or does not exist',
  },
  'desk/forbidden': {
    error: ForbiddenError,
    message: 'Forbidden',
    when: 'an editor without the right to an action',
  },
  'desk/broken-right': {
    error: ForbiddenError,
    message: (d: { action: string; type: string; mistake: string }) =>
      `A role of yours has a mistake in the condition of its right to ${d.action} ${d.type}; a person who may change roles has to correct it: ${d.mistake}`,
    when: 'an editor with a stored right whose condition has a mistake, such as an attribute that the content-type no longer has',
  },
  'desk/field': {
    error: ForbiddenError,
    message: (d: { field: string }) => `You may not write "${d.field}"`,
    when: 'a write of an attribute that the editor may not write',
  },
  'desk/more-than-own': {
    error: ForbiddenError,
    message: (d: { right: string }) => `You do not have this right yourself: ${d.right}`,
    when: 'a role or a person with a right that the editor does not have',
  },
  'desk/last-manager': {
    error: ApplicationError,
    message: 'At least one active person must have the right to manage roles',
    when: 'a change after which no active person has the right to manage roles',
  },
  'desk/taken': {
    error: ApplicationError,
    message: asGiven,
    when: 'the address of another person, or the name of another role',
  },
  'desk/too-many-views': {
    error: ApplicationError,
    message: (d: { most: number }) => `You have ${d.most} views; delete one first`,
    when: 'a new view of a person who has 500',
  },
  'desk/invalid': {
    error: ValidationError,
    message: inSummary,
    when: 'a body with wrong values; all mistakes at once',
  },
  'desk/not-found': {
    error: NotFoundError,
    message: 'Not Found',
    when: 'no such person, role, session or content-type, or no editor yet',
  },
  'desk/unknown-editor': {
    error: NotFoundError,
    message: (d: { email: string }) => `There is no editor ${d.email}; octavo editors list prints all`,
    when: 'the address of nobody, in `octavo editors reset`',
  },
  'desk/unknown-role': {
    error: NotFoundError,
    message: (d: { name: string; known: string }) => `There is no role "${d.name}"; there are ${d.known}`,
    when: 'the name of no role, in `octavo editors create` and in a program',
  },
  'desk/too-many-attempts': {
    error: RateLimitError,
    message: 'Too many requests, please try again later.',
    when: 'too many attempts; `Retry-After` has the seconds to wait',
  },
})
