import type { AttributeDefinition, ContentTypeDefinition } from '@octavo/core'

export const userUid = 'plugin::users-permissions.user'
export const roleUid = 'plugin::users-permissions.role'
export const permissionUid = 'plugin::users-permissions.permission'

/** Attributes of a user that no other server has. */
export const ownNames: ReadonlySet<string> = new Set([
  'resetPasswordExpires',
  'tokenVersion',
  'providerSubject',
  'pendingEmail',
  'usernameLook',
  'usernameWrittenLook',
])

/** Attributes of a user that only this plugin writes; bodies cannot set them. */
export const guardedAttributes: ReadonlySet<string> = new Set([
  'id',
  'resetPasswordToken',
  'confirmationToken',
  ...ownNames,
])

/**
 * A user, with the attributes that the project adds, and its rules for names, addresses and passwords. Attributes of logins keep the plugin's
 * own definitions, so that an existing project's `extensions/users-permissions/content-types/user/schema.json`, which repeats them, loads as it is.
 * Source: docs/contract/reading.md#answers.
 */
export const userType = (added: Readonly<Record<string, AttributeDefinition>>): ContentTypeDefinition => ({
  kind: 'collectionType',
  uid: userUid,
  collectionName: 'up_users',
  info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: {
    draftAndPublish: false,
    indexes: [{ attributes: ['usernameLook'] }, { attributes: ['usernameWrittenLook'] }],
  },
  attributes: {
    username: { type: 'string', minLength: 3, unique: true, required: true },
    email: { type: 'email', minLength: 6, unique: true, required: true },
    provider: { type: 'string' },
    confirmed: { type: 'boolean', default: false },
    blocked: { type: 'boolean', default: false },
    ...added,
    ...guarded,
    password: { ...guarded.password, ...rulesOf(added.password) },
    role: { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'users' },
  },
})

/** The rules of a project for passwords, such as a longer minimum, which are stricter than the usual ones as a rule. */
function rulesOf(password: AttributeDefinition | undefined): Partial<AttributeDefinition> {
  const given = Object.entries(password ?? {})
  return Object.fromEntries(
    given.filter(([key]) => key === 'minLength' || key === 'maxLength' || key === 'regex'),
  )
}

/** The attributes that a project cannot change. */
const guarded = {
  password: { type: 'password', minLength: 6, private: true },
  // Only the hashes of both tokens are stored.
  resetPasswordToken: { type: 'string', private: true, searchable: false },
  resetPasswordExpires: { type: 'datetime', private: true },
  confirmationToken: { type: 'string', private: true, searchable: false },
  // Part of every issued token; increasing it invalidates them all.
  tokenVersion: { type: 'integer', private: true, default: 0 },
  // The user's identifier at the login provider.
  providerSubject: { type: 'string', private: true, searchable: false },
  // A new address that the user has not confirmed yet; the confirmation token is then for this address.
  pendingEmail: { type: 'string', private: true, searchable: false },
  // The looks of the name, in lower case and as it is written: names with the same look can be confused.
  usernameLook: { type: 'string', private: true, searchable: false },
  usernameWrittenLook: { type: 'string', private: true, searchable: false },
} as const satisfies Readonly<Record<string, AttributeDefinition>>

export const roleType: ContentTypeDefinition = {
  kind: 'collectionType',
  uid: roleUid,
  collectionName: 'up_roles',
  info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
  options: { draftAndPublish: false, decidesRights: true },
  attributes: {
    name: { type: 'string', minLength: 3, required: true },
    description: { type: 'string' },
    type: { type: 'string', unique: true, required: true },
    // The users and the permissions of a role are not part of responses.
    permissions: {
      type: 'relation',
      relation: 'oneToMany',
      target: permissionUid,
      mappedBy: 'role',
      private: true,
    },
    users: { type: 'relation', relation: 'oneToMany', target: userUid, mappedBy: 'role', private: true },
  },
}

export const permissionType: ContentTypeDefinition = {
  kind: 'collectionType',
  uid: permissionUid,
  collectionName: 'up_permissions',
  info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
  options: { draftAndPublish: false, decidesRights: true },
  attributes: {
    action: { type: 'string', required: true },
    role: { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'permissions' },
  },
}
