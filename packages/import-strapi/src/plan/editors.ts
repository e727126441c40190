/** Administrators and their rights, in the form of `@octavo/plugin-editors`. */
import { isObject } from '@octavo/core/internal'
import type { ContentType, Model, Registry } from '@octavo/core/plugin'
import { editorUid, fileUid } from '../model/uids.ts'
import type { EditorPermission, EditorRecords, EditorRoleRecord } from '../records.ts'

/** A permission that does not come, and why. */
export interface LeftRight {
  readonly role: string
  readonly action: string
  readonly why: string
}

/** The sections of a data file, and the permissions that do not come. */
export interface PlannedEditors {
  readonly roles: readonly object[]
  readonly people: readonly object[]
  readonly left: readonly LeftRight[]
}

const none: PlannedEditors = { roles: [], people: [], left: [] }

const contentPrefix = 'plugin::content-manager.explorer.'
const contentActions: ReadonlySet<string> = new Set(['create', 'read', 'update', 'delete', 'publish'])

/** The rights of permissions on files. */
const fileActions: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.read': ['read'],
  'plugin::upload.assets.create': ['create'],
  'plugin::upload.assets.update': ['update', 'delete'],
}

/** The permission to change the layouts of lists and forms, which is one right here. */
const layoutsAction = 'plugin::content-manager.collection-types.configure-view'

/** Permissions of pages of the panel, which have no counterpart to protect. */
const ofPages: ReadonlySet<string> = new Set([
  'plugin::upload.assets.download',
  'plugin::upload.assets.copy-link',
  'plugin::upload.configure-view',
  'plugin::content-manager.single-types.configure-view',
  'plugin::content-manager.collection-types.configure-view',
  'plugin::content-manager.components.configure-layout',
])

/** The conditions that every project has. */
const conditions: Readonly<Record<string, object>> = {
  'admin::is-creator': { createdBy: '$editor.id' },
  'admin::has-same-role-as-creator': { createdBy: { roles: '$editor.roles' } },
}

/** @returns empty lists when the source has no administrators, or the server no editors */
export function planEditors(editors: EditorRecords | undefined, registry: Registry): PlannedEditors {
  if (!editors || !registry.contentTypes.has(editorUid)) return none
  const left: LeftRight[] = []
  const roles = editors.roles.map((role) => ({
    id: role.id,
    name: role.name,
    description: role.description,
    rights: rightsOf(role, registry, (action, why) => left.push({ role: role.name, action, why })),
  }))
  return { roles, people: editors.people, left }
}

type Leave = (action: string, why: string) => void

function rightsOf(
  { code, permissions }: EditorRoleRecord,
  registry: Registry,
  leave: Leave,
): readonly object[] {
  if (code === 'strapi-super-admin') return [{ action: 'everything' }]
  const managed = Object.entries(managedGroups).filter(([group]) => allOfGroup(permissions, group))
  const general = [
    ...managed.map(([, action]) => ({ action })),
    ...(permissions.some(({ action }) => action === layoutsAction) ? [{ action: 'layouts' }] : []),
  ]
  const isManaged = (action: string): boolean => managed.some(([group]) => action.startsWith(`${group}.`))
  const others = permissions.filter(({ action }) => !isManaged(action))
  return [...general, ...others.flatMap((permission) => rightOf(permission, registry, leave))]
}

/** The groups of permissions that are one right here: for those who may do all of it. */
const managedGroups = {
  'admin::users': 'people',
  'admin::roles': 'roles',
  'admin::api-tokens': 'tokens',
  'admin::webhooks': 'webhooks',
  'plugin::i18n.locale': 'settings',
} as const

/** Whether a role has all permissions of a group. */
const allOfGroup = (permissions: readonly EditorPermission[], group: string): boolean =>
  ['create', 'read', 'update', 'delete'].every((action) =>
    permissions.some((permission) => permission.action === `${group}.${action}`),
  )

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** Columns of JSON may hold anything. Without its list of fields, a right would be one for all fields. */
const isReadable = ({ properties, conditions }: EditorPermission): boolean =>
  isObject(properties) &&
  [properties.fields, properties.locales].every((list) => list === undefined || isNames(list)) &&
  isNames(conditions)

function rightOf(permission: EditorPermission, registry: Registry, leave: Leave): readonly object[] {
  const { action, subject } = permission
  const name = subject === null ? action : `${action} ${subject}`
  if (!isReadable(permission)) {
    leave(name, 'has fields, locales or conditions that are no lists of names')
    return []
  }
  const unknown = permission.conditions.filter((condition) => !Object.hasOwn(conditions, condition))
  if (unknown.length > 0) {
    leave(name, `has a condition of the project: ${unknown.join(', ')}`)
    return []
  }
  const known = permission.conditions.flatMap((condition) => conditions[condition] ?? [])
  const where = known.length === 0 ? {} : { where: known.length === 1 ? known[0] : { $or: known } }
  if (Object.hasOwn(fileActions, action))
    return (fileActions[action] ?? []).map((as) => ({ action: as, type: fileUid, ...where }))
  const as = action.startsWith(contentPrefix) ? action.slice(contentPrefix.length) : ''
  if (!contentActions.has(as)) {
    const isPart = Object.keys(managedGroups).some((group) => action.startsWith(`${group}.`))
    const why = isPart ? 'is a part of one right here, which needs all of it' : 'has no counterpart'
    if (!ofPages.has(action)) leave(name, why)
    return []
  }
  const type = subject?.startsWith('api::') ? registry.contentTypes.get(subject) : undefined
  if (!type) {
    leave(name, 'the definitions do not have the content-type')
    return []
  }
  return contentRight(as, type, permission, where, registry)
}

function contentRight(
  action: string,
  type: ContentType,
  { properties: { fields, locales } }: EditorPermission,
  where: object,
  registry: Registry,
): readonly object[] {
  if (action === 'publish' && !type.attributes.has('publishedAt')) return []
  const hasFields = fields !== undefined && action !== 'delete' && action !== 'publish'
  return [
    {
      action,
      type: type.uid,
      ...(hasFields && { fields: fields.flatMap((path) => fieldsOf(type, path.split('.'), registry)) }),
      ...(locales !== undefined && type.attributes.has('locale') && { locales }),
      ...where,
    },
  ]
}

/**
 * The fields that a stored one stands for. The name of a component stands for its required attributes, if it has any, as Strapi reads it
 * at its start. A field that the definitions do not have stands for none.
 */
function fieldsOf(type: ContentType, path: readonly string[], registry: Registry): readonly string[] {
  if (!hasField(type, path, registry)) return []
  const attribute = path.length === 1 ? type.attributes.get(path[0] ?? '') : undefined
  if (attribute?.kind !== 'component') return [path.join('.')]
  const { attributes } = registry.component(attribute.component)
  const required = [...attributes.values()].filter(({ definition }) => definition.required === true)
  return required.length === 0 ? path : required.map(({ name }) => `${attribute.name}.${name}`)
}

function hasField(model: Model, [name = '', ...rest]: readonly string[], registry: Registry): boolean {
  const attribute = model.attributes.get(name)
  if (!attribute) return rest.length === 0 && model.morphs.has(name)
  if (rest.length === 0) return true
  return attribute.kind === 'component' && hasField(registry.component(attribute.component), rest, registry)
}
