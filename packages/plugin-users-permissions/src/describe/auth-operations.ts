import type { ApiOperation, ApiSchemas } from '@octavo/server'
import { userUid } from '../content-types.ts'
import type { UsersPermissionsOptions } from '../options.ts'
import { answer, json } from './bodies.ts'
import { textsBody } from './schemas.ts'

const tag = 'Authentication'

type Operations = Record<string, ApiOperation | false>

const redirect = { 302: { description: 'Leads to the next page.' } }

const session = (schemas: ApiSchemas) => answer('The session.', schemas.named('AuthSession'))

/** The operations of accounts: login, passwords, confirmation, providers and tokens. */
export const authOperations = (schemas: ApiSchemas, options: UsersPermissionsOptions): Operations => ({
  ...loginOperations(schemas, options),
  ...passwordOperations(schemas),
  ...confirmationOperations(),
  ...providerOperations(schemas, Object.keys(options.providers ?? {}).length > 0),
  ...tokenOperations(schemas),
})

function loginOperations(schemas: ApiSchemas, options: UsersPermissionsOptions): Operations {
  const { attributes } = schemas.registry.contentType(userUid)
  const added = (options.register?.allowedFields ?? []).filter(
    (name) => attributes.get(name)?.definition.writable !== false,
  )
  return {
    'POST /auth/local': {
      id: 'login',
      tag,
      summary: 'Log in',
      body: json(textsBody(['identifier', 'password'])),
      responses: session(schemas),
    },
    'POST /auth/local/register': options.register?.enabled !== false && {
      id: 'register',
      tag,
      summary: 'Create an account',
      body: json({
        ...textsBody(['username', 'email', 'password']),
        ...(added.length > 0 && { description: `It may also have ${added.join(', ')}.` }),
        additionalProperties: true,
      }),
      responses: options.emailConfirmation
        ? answer('The account, which must be confirmed.', {
            anyOf: [
              { type: 'object', required: ['user'], properties: { user: schemas.flat(userUid) } },
              schemas.named('AuthOk'),
            ],
          })
        : session(schemas),
    },
  }
}

const passwordOperations = (schemas: ApiSchemas): Operations => ({
  'POST /auth/forgot-password': {
    id: 'forgotPassword',
    tag,
    summary: 'Send an email with a code for a new password',
    body: json(textsBody(['email'])),
    responses: answer('Always, whether or not there is such a user.', schemas.named('AuthOk')),
  },
  'POST /auth/reset-password': {
    id: 'resetPassword',
    tag,
    summary: 'Set a new password with a code',
    body: json(textsBody(['code', 'password', 'passwordConfirmation'])),
    responses: session(schemas),
  },
  'POST /auth/change-password': {
    id: 'changePassword',
    tag,
    summary: 'Set a new password with the present one',
    body: json(textsBody(['currentPassword', 'password', 'passwordConfirmation'])),
    responses: session(schemas),
  },
})

const confirmationOperations = (): Operations => ({
  'GET /auth/email-confirmation': {
    id: 'confirmEmail',
    tag,
    summary: 'Confirm an email address',
    query: [{ name: 'confirmation', required: true, schema: { type: 'string' } }],
    responses: redirect,
  },
  'POST /auth/send-email-confirmation': {
    id: 'sendEmailConfirmation',
    tag,
    summary: 'Send the email of a confirmation again',
    body: json(textsBody(['email'])),
    responses: answer('It is sent, if there is such a user.', {
      type: 'object',
      required: ['email', 'sent'],
      properties: { email: { type: 'string' }, sent: { type: 'boolean' } },
    }),
  },
})

/** @param hasProviders Without providers the operations are left out of the description. */
const providerOperations = (schemas: ApiSchemas, hasProviders: boolean): Operations => ({
  'GET /connect/:provider': hasProviders && {
    id: 'connect',
    tag,
    summary: 'Log in with another service',
    query: [
      { name: 'callback', description: 'The page to come back to.', schema: { type: 'string' } },
      {
        name: 'challenge',
        description: 'SHA-256, in base64url, of the verifier that the page will send with the code.',
        schema: { type: 'string' },
      },
    ],
    responses: redirect,
  },
  'GET /connect/:provider/callback': hasProviders && {
    id: 'connectCallback',
    tag,
    summary: 'The answer of another service to a login',
    query: [{ name: 'state', required: true, schema: { type: 'string' } }],
    responses: redirect,
  },
  'POST /connect/:provider/token': hasProviders && {
    id: 'connectToken',
    tag,
    summary: 'Exchange the code of a login for a session',
    body: json(textsBody(['code'], ['verifier'])),
    responses: session(schemas),
  },
})

const tokenOperations = (schemas: ApiSchemas): Operations => ({
  'POST /auth/refresh': {
    id: 'refresh',
    tag,
    summary: 'Exchange a refresh token for a new pair of tokens',
    body: json(textsBody(['refreshToken'])),
    responses: answer('The tokens.', textsBody(['jwt', 'refreshToken'])),
  },
  'POST /auth/logout': {
    id: 'logout',
    tag,
    summary: 'End the login of a refresh token',
    body: json(textsBody(['refreshToken'])),
    responses: answer('Always.', schemas.named('AuthOk')),
  },
})
