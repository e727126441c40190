import type {
  ApiBody,
  ApiDescription,
  ApiOperation,
  ApiParameter,
  ApiSchemas,
  JsonSchema,
} from '@octavo/server'
import { guardedAttributes, userUid } from '../content-types.ts'
import type { UsersPermissionsOptions } from '../options.ts'
import { schemasOf, textsBody } from './schemas.ts'

/** The description of accounts, users and roles. */
export const describeUsers = (schemas: ApiSchemas, options: UsersPermissionsOptions): ApiDescription => ({
  tags: {
    Authentication: 'Accounts, and how to log in to them.',
    Users: 'The accounts of this API.',
    Roles: 'Roles and their permissions.',
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `jwt` of a login. Without one a request has the role `public`.',
    },
    apiToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API token, for requests of other servers: `octavo token create`.',
    },
  },
  schemas: schemasOf(schemas, options),
  operations: { ...authOperations(schemas, options), ...userOperations(schemas), ...roleOperations(schemas) },
})

const json = (schema: JsonSchema): ApiBody => ({ content: { 'application/json': { schema } } })

const answer = (description: string, schema: JsonSchema) => ({ 200: { description, schema } })

function authOperations(
  schemas: ApiSchemas,
  options: UsersPermissionsOptions,
): Record<string, ApiOperation | false> {
  const tag = 'Authentication'
  const session = answer('The session.', schemas.named('AuthSession'))
  const ok = answer('Always, whether or not there is such a user.', schemas.named('AuthOk'))
  const added = options.register?.allowedFields ?? []
  const hasProviders = Object.keys(options.providers ?? {}).length > 0
  const redirect = { 302: { description: 'Leads to the next page.' } }
  return {
    'POST /auth/local': {
      id: 'login',
      tag,
      summary: 'Log in',
      body: json(textsBody(['identifier', 'password'])),
      responses: session,
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
        : session,
    },
    'POST /auth/forgot-password': {
      id: 'forgotPassword',
      tag,
      summary: 'Send an email with a code for a new password',
      body: json(textsBody(['email'])),
      responses: ok,
    },
    'POST /auth/reset-password': {
      id: 'resetPassword',
      tag,
      summary: 'Set a new password with a code',
      body: json(textsBody(['code', 'password', 'passwordConfirmation'])),
      responses: session,
    },
    'POST /auth/change-password': {
      id: 'changePassword',
      tag,
      summary: 'Set a new password with the present one',
      body: json(textsBody(['currentPassword', 'password', 'passwordConfirmation'])),
      responses: session,
    },
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
    'GET /connect/:provider': hasProviders && {
      id: 'connect',
      tag,
      summary: 'Log in with another service',
      query: [{ name: 'callback', description: 'The page to come back to.', schema: { type: 'string' } }],
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
      body: json(textsBody(['code'])),
      responses: session,
    },
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
  }
}

const populate: ApiParameter = {
  name: 'populate',
  description: 'Relations in the answer: `*`, or names.',
  schema: { type: 'string' },
}

function userOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
  const tag = 'Users'
  const user = schemas.flat(userUid)
  const body = (action: 'create' | 'update'): ApiBody =>
    json(schemas.input(userUid, action, guardedAttributes))
  const filters: ApiParameter = {
    name: 'filters',
    style: 'deepObject',
    description: 'Conditions, as in lists of entries.',
    schema: { type: 'object' },
    example: { username: { $eq: 'ada' } },
  }
  return {
    'GET /users': {
      id: 'findUsers',
      tag,
      summary: 'List users',
      query: [
        filters,
        {
          name: 'sort',
          explode: false,
          description: 'Attributes, each with `:asc` or `:desc`.',
          schema: { type: 'array', items: { type: 'string' } },
        },
        { name: 'start', schema: { type: 'integer', minimum: 0 } },
        { name: 'limit', description: 'Default: all users.', schema: { type: 'integer' } },
        populate,
      ],
      responses: answer('The users.', { type: 'array', items: user }),
    },
    'GET /users/count': {
      id: 'countUsers',
      tag,
      summary: 'Count users',
      query: [filters],
      responses: answer('The number of users.', { type: 'integer', minimum: 0 }),
    },
    'GET /users/me': {
      id: 'me',
      tag,
      summary: 'Read the own account',
      query: [populate],
      responses: answer('The account.', user),
    },
    'GET /users/:id': {
      id: 'findOneUser',
      tag,
      summary: 'Read a user',
      query: [populate],
      responses: answer('The user.', user),
    },
    'POST /users': {
      id: 'createUser',
      tag,
      summary: 'Create a user',
      body: body('create'),
      responses: { 201: { description: 'The user.', schema: user } },
    },
    'PUT /users/:id': {
      id: 'updateUser',
      tag,
      summary: 'Update a user',
      body: body('update'),
      responses: answer('The user.', user),
    },
    'DELETE /users/:id': {
      id: 'deleteUser',
      tag,
      summary: 'Delete a user',
      responses: answer('The deleted user.', user),
    },
  }
}

function roleOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
  const tag = 'Roles'
  const role = schemas.named('AuthRole')
  const body = (required: readonly string[]): ApiBody =>
    json({
      type: 'object',
      required,
      properties: {
        name: { type: 'string', minLength: 3 },
        description: { type: 'string' },
        permissions: schemas.named('PermissionTree'),
      },
    })
  const ok = answer('It is done.', schemas.named('AuthOk'))
  const wrapped = (name: string, schema: JsonSchema): JsonSchema => ({
    type: 'object',
    required: [name],
    properties: { [name]: schema },
  })
  return {
    'GET /users-permissions/roles': {
      id: 'findRoles',
      tag,
      summary: 'List roles',
      responses: answer('The roles.', wrapped('roles', { type: 'array', items: role })),
    },
    'GET /users-permissions/roles/:id': {
      id: 'findOneRole',
      tag,
      summary: 'Read a role with its permissions',
      responses: answer('The role.', wrapped('role', role)),
    },
    'POST /users-permissions/roles': {
      id: 'createRole',
      tag,
      summary: 'Create a role',
      body: body(['name']),
      responses: ok,
    },
    'PUT /users-permissions/roles/:id': {
      id: 'updateRole',
      tag,
      summary: 'Update a role',
      body: body([]),
      responses: ok,
    },
    'DELETE /users-permissions/roles/:id': {
      id: 'deleteRole',
      tag,
      summary: 'Delete a role',
      description: 'Its users get the role `public`.',
      responses: ok,
    },
    'GET /users-permissions/permissions': {
      id: 'findPermissions',
      tag,
      summary: 'List everything that a role may be permitted',
      responses: answer(
        'The permissions, none of them enabled.',
        wrapped('permissions', schemas.named('PermissionTree')),
      ),
    },
  }
}
