import type { ApiSchemas, JsonSchema } from '@octavo/server'
import { userUid } from '../content-types.ts'
import type { UsersPermissionsOptions } from '../options.ts'

const text: JsonSchema = { type: 'string' }
const ok: JsonSchema = { type: 'object', required: ['ok'], properties: { ok: { const: true } } }

const role: JsonSchema = {
  type: 'object',
  required: ['id', 'name', 'type'],
  properties: {
    id: { type: 'integer' },
    name: text,
    description: { type: ['string', 'null'] },
    type: { ...text, description: 'The key of the role, for example `public`.' },
    createdAt: { type: ['string', 'null'], format: 'date-time' },
    updatedAt: { type: ['string', 'null'], format: 'date-time' },
    nb_users: { type: 'integer', description: 'The number of users with the role.' },
    permissions: { $ref: '#/components/schemas/PermissionTree' },
  },
}

/** Actions by controller, and controllers by their owner. */
const permissionTree: JsonSchema = {
  type: 'object',
  description: 'Owner (`api::article`) → controllers → actions.',
  additionalProperties: {
    type: 'object',
    required: ['controllers'],
    properties: {
      controllers: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['enabled'],
            properties: { enabled: { type: 'boolean' }, policy: text },
          },
        },
      },
    },
  },
}

/** The schemas of accounts and roles, by name. */
export const schemasOf = (
  schemas: ApiSchemas,
  { refreshTokens }: UsersPermissionsOptions,
): Readonly<Record<string, JsonSchema>> => ({
  AuthOk: ok,
  AuthRole: role,
  AuthSession: {
    type: 'object',
    required: ['jwt', 'user'],
    properties: {
      jwt: { ...text, description: 'For `Authorization: Bearer …`.' },
      ...(refreshTokens && { refreshToken: text }),
      user: schemas.flat(userUid),
    },
  },
  PermissionTree: permissionTree,
})

/** A body of texts, all of them required but those that are named. */
export const textsBody = (names: readonly string[], optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(
    [...names, ...optional].map((name) => [name, { ...text, ...formats[name] }]),
  ),
})

const formats: Readonly<Record<string, JsonSchema>> = {
  identifier: { description: 'A username or an email address.' },
  password: { format: 'password' },
  passwordConfirmation: { format: 'password' },
  currentPassword: { format: 'password' },
  email: { format: 'email' },
}
