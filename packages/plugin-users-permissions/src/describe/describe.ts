import type { ApiDescription, ApiSchemas } from '@octavo/server'
import type { UsersPermissionsOptions } from '../options.ts'
import { authOperations } from './auth-operations.ts'
import { roleOperations } from './role-operations.ts'
import { schemasOf } from './schemas.ts'
import { userOperations } from './user-operations.ts'

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
