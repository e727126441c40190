import type { ApiDescription, ApiSchemas, ManagedRoute } from '@octavo/server'
import { accountOperations } from './account-operations.ts'
import { contentOperations } from './content-operations.ts'
import { layoutOperations } from './layout-operations.ts'
import { managedOperations, managedTags } from './managed-operations.ts'
import { peopleOperations } from './people-operations.ts'
import { deskSchemas } from './schemas.ts'

/** The description of the desk's routes. @param managed The routes of other plugins. */
export const describeDesk = (schemas: ApiSchemas, managed: readonly ManagedRoute[]): ApiDescription => ({
  tags: {
    'Desk: account': 'Signing in at the desk, and the own account.',
    'Desk: people': 'The people who write the content, and their roles.',
    'Desk: content': 'Content and files, with the rights of an editor.',
    'Desk: layouts': 'Layouts of lists and forms, and saved views of lists.',
    ...managedTags(managed),
  },
  schemas: deskSchemas,
  securitySchemes: {
    deskSession: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-octavo_desk',
      description:
        'The session of an editor, from `POST /desk/api/login`. On localhost without TLS the cookie is `octavo_desk`. Changes need the `Origin` of the server as well.',
    },
  },
  operations: {
    ...accountOperations(schemas),
    ...peopleOperations(schemas),
    ...contentOperations(schemas),
    ...layoutOperations(schemas),
    ...managedOperations(managed),
  },
})
