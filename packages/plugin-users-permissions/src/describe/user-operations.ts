import type { ApiBody, ApiOperation, ApiParameter, ApiSchemas } from '@octavo/server'
import { guardedAttributes, userUid } from '../content-types.ts'
import { answer, json } from './bodies.ts'

const populate: ApiParameter = {
  name: 'populate',
  description: 'Relations in the answer: `*`, or names.',
  schema: { type: 'string' },
}

/** The operations of `/users`. */
export function userOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
  const tag = 'Users'
  const user = schemas.flat(userUid)
  const body = (action: 'create' | 'update'): ApiBody =>
    json(schemas.input(userUid, action, guardedAttributes))
  const filters: ApiParameter = {
    name: 'filters',
    style: 'deepObject',
    description: 'Conditions, as in lists of entries.',
    schema: { type: 'object', additionalProperties: true },
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
