import { isValue } from '@octavo/core/internal'
import type { Attribute, Model } from '@octavo/core/plugin'
import { isGraphqlName } from './names.ts'

/** The scalars of attribute types; other types, those of plugins among them, are `JSON`. */
const scalars: Readonly<Record<string, string>> = {
  string: 'String',
  text: 'String',
  richtext: 'String',
  email: 'String',
  uid: 'String',
  password: 'String',
  enumeration: 'String',
  integer: 'Int',
  biginteger: 'Long',
  float: 'Float',
  decimal: 'Float',
  boolean: 'Boolean',
  date: 'Date',
  time: 'Time',
  datetime: 'DateTime',
  timestamp: 'DateTime',
}

/** The scalar of an attribute type: `String` for an enumeration, whose own type is an enum. */
export const scalarOfType = (type: string): string => scalars[type] ?? 'JSON'

/** The scalar of a value. */
export const scalarOf = (attribute: Attribute): string =>
  isValue(attribute) ? scalarOfType(attribute.type.name) : 'JSON'

/** Attributes that a server sets itself, after those of the definition. */
const last = ['createdAt', 'updatedAt', 'publishedAt', 'localizations', 'locale']

/** Private attributes of the types of plugins that the reference has too; others are the business of their plugin. */
const known: ReadonlySet<string> = new Set([
  ...['password', 'resetPasswordToken', 'confirmationToken'],
  ...['folderPath', 'permissions', 'users'],
])

/** The people who made and changed an entry, of the plugin for editors; no attribute of a project has these names. */
const creators: ReadonlySet<string> = new Set([
  ...['createdBy', 'updatedBy', 'createdByCaller', 'updatedByCaller'],
])

const isInternal = ({ name, definition }: Attribute, { uid }: Model): boolean => {
  if (uid === 'plugin::i18n.locale') return name === 'isDefault'
  if (definition.private !== true) return false
  return creators.has(name) || (uid.startsWith('plugin::') && !known.has(name))
}

/** Required attributes of those types that the reference does not require. */
const optional: ReadonlySet<string> = new Set([
  'plugin::i18n.locale.code',
  'plugin::users-permissions.role.type',
])

/** Whether an answer always has the value. A hash never leaves the server, so its field is null. */
export const isRequired = ({ name, definition, private: hidden }: Attribute, { uid }: Model): boolean =>
  definition.required === true && !hidden && !optional.has(`${uid}.${name}`)

/** The attributes of a model that GraphQL can name, in the order of the reference. */
export function attributesOf(model: Model): readonly Attribute[] {
  const all = [...model.attributes.values()].filter(
    (attribute) => isGraphqlName(attribute.name) && !isInternal(attribute, model),
  )
  const set = model.kind === 'component' ? [] : last
  return [
    ...all.filter(({ name }) => !set.includes(name)),
    ...set.flatMap((name) => all.find((attribute) => attribute.name === name) ?? []),
  ]
}

/** Whether inputs cannot have the attribute: the server sets it, or programs. In the reference, inputs of components lack those of programs, too. */
export const isSet = ({ name, definition }: Attribute, model: Model): boolean =>
  definition.writable === false ||
  (model.kind !== 'component' && (creators.has(name) || (last.includes(name) && name !== 'publishedAt')))

/** Whether answers have the attribute. */
export const isShown = ({ definition }: Attribute): boolean => definition.private !== true

export const hasDrafts = (model: Model): boolean =>
  model.kind !== 'component' && model.options.draftAndPublish === true && model.attributes.has('publishedAt')

export const isLocalized = (model: Model): boolean =>
  model.kind !== 'component' &&
  model.attributes.get('localizations')?.kind === 'relation' &&
  model.attributes.has('locale')

export const isMedia = (attribute: Attribute): boolean =>
  attribute.kind === 'relation' && attribute.typeName === 'media'
