import type { ApiBody, ApiOperation, ApiSchemas, JsonSchema } from '@octavo/server'
import { answer, json } from './bodies.ts'

/** The operations of roles and permissions. */
export function roleOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
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
