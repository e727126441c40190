import type { ApiOperation, ApiSchemas, JsonSchema } from '@octavo/server'
import { operation } from './operation.ts'
import { object } from './schemas.ts'

const text: JsonSchema = { type: 'string' }

const personInput = {
  email: { type: 'string', format: 'email' },
  firstname: text,
  lastname: text,
  language: text,
  active: { type: 'boolean', description: '`false` ends all sessions and links of the person.' },
  roles: { type: 'array', items: { type: 'integer' }, description: 'Ids of roles.' },
} as const satisfies Record<string, JsonSchema>

/** People and roles. */
export function peopleOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
  const tag = 'Desk: people'
  const [ok, person, role, link] = ['DeskOk', 'DeskPerson', 'DeskRole', 'DeskLink'].map((name) =>
    schemas.named(name),
  ) as [JsonSchema, JsonSchema, JsonSchema, JsonSchema]
  const roleInput = {
    name: text,
    description: text,
    rights: { type: 'array', items: schemas.named('DeskRight') },
  }
  return {
    'GET /desk/api/people': operation(tag, {
      id: 'people',
      summary: 'List people',
      answer: { type: 'array', items: person },
    }),
    'POST /desk/api/people': operation(tag, {
      id: 'invite',
      summary: 'Invite a person',
      description: 'The link is in this answer only.',
      body: object(personInput, ['email']),
      answer: { allOf: [object({ person }), link] },
      status: 201,
    }),
    'GET /desk/api/people/:id': operation(tag, { id: 'person', summary: 'Read a person', answer: person }),
    'PUT /desk/api/people/:id': operation(tag, {
      id: 'changePerson',
      summary: 'Change a person',
      body: object(personInput, []),
      answer: person,
    }),
    'DELETE /desk/api/people/:id': operation(tag, {
      id: 'removePerson',
      summary: 'Remove a person',
      description: 'Entries stay, without their creator.',
      answer: ok,
    }),
    'POST /desk/api/people/:id/link': operation(tag, {
      id: 'newLink',
      summary: 'Make a new link to set a password',
      answer: link,
      status: 201,
    }),
    'DELETE /desk/api/people/:id/second-factor': operation(tag, {
      id: 'endSecondFactor',
      summary: 'Turn off the second factor of a person who has lost it',
      answer: ok,
    }),
    'GET /desk/api/roles': operation(tag, {
      id: 'roles',
      summary: 'List roles',
      answer: { type: 'array', items: role },
    }),
    'POST /desk/api/roles': operation(tag, {
      id: 'createRole',
      summary: 'Make a role',
      body: object(roleInput, ['name']),
      answer: role,
      status: 201,
    }),
    'GET /desk/api/roles/:id': operation(tag, { id: 'role', summary: 'Read a role', answer: role }),
    'PUT /desk/api/roles/:id': operation(tag, {
      id: 'changeRole',
      summary: 'Change a role',
      body: object(roleInput, []),
      answer: role,
    }),
    'DELETE /desk/api/roles/:id': operation(tag, {
      id: 'removeRole',
      summary: 'Remove a role',
      description: 'A role that people have stays.',
      answer: ok,
    }),
  }
}
