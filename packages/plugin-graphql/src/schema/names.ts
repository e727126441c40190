/**
 * The names of the reference's GraphQL plugin: `Article`, `UploadFile`, `ComponentSharedSeo`, `ENUM_ARTICLE_STATUS`.
 * Source: the names in conformance/graphql/reference.graphql.
 */

import type { Attribute, Component, ContentType, Model } from '@octavo/core/plugin'
import slugify from '@sindresorhus/slugify'

/** The words of a name: those of `i18n` are `i`, `18` and `n`. */
const words = /[A-Z]{2,}(?=[A-Z][a-z]|\d|\b|_|-)|[A-Z]?[a-z]+|[A-Z]+|\d+/g

/** `users-permissions` → `UsersPermissions`, `i18n` → `I18N` */
export const pascalCase = (text: string): string =>
  (text.match(words) ?? []).map((word) => upperFirst(word.toLowerCase())).join('')

export const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** `Upload` of `plugin::upload.file`; empty for a type of the project. */
function pluginOf({ uid }: ContentType): string {
  const found = /^plugin::([^.]+)\./.exec(uid)
  return found?.[1] === undefined ? '' : pascalCase(found[1])
}

const ofContentType = (type: ContentType): string => `${pluginOf(type)}${pascalCase(type.singularName)}`

const ofComponent = ({ uid, definition }: Component): string =>
  typeof definition.globalId === 'string' ? definition.globalId : pascalCase(`component_${uid}`)

/** The name of the type with the attributes of a model. */
export const typeName = (model: Model): string =>
  model.kind === 'component' ? ofComponent(model) : ofContentType(model)

/** The query that returns one entry, or that of a single type: `article`. */
export const findOneName = (type: ContentType): string => lowerFirst(typeName(type))

/** The query that returns a list: `articles`. */
export const findName = (type: ContentType): string =>
  lowerFirst(`${pluginOf(type)}${pascalCase(type.pluralName)}`)

export const zoneName = (model: Model, attribute: string): string =>
  `${typeName(model)}${pascalCase(attribute)}DynamicZone`

/** The name of an enumeration: its `enumName`, or `ENUM_ARTICLE_STATUS`. */
export function enumName(model: Model, { name, definition }: Attribute): string {
  const { enumName: own } = definition
  return typeof own === 'string' && own !== ''
    ? own
    : `ENUM_${typeName(model).toUpperCase()}_${name.toUpperCase()}`
}

/** The name of a value of an enumeration: `In review` → `In_review`, `café` → `cafe`, `бензин` → `benzin`. */
export const enumValueName = (value: string): string =>
  slugify(value, { decamelize: false, lowercase: false, separator: '_' })

/**
 * The values of an enumeration by their names; `undefined` for an attribute without an enumeration in GraphQL: one of another
 * type, or with values that GraphQL cannot name, such as `4x4` and `true`, or with one name for two. An attribute with such values is a `String`.
 */
export function enumValues({ definition }: Attribute): ReadonlyMap<string, string> | undefined {
  if (definition.type !== 'enumeration') return undefined
  const values = (definition.enum ?? []) as readonly string[] // core has checked the definition
  const named = new Map(values.map((value) => [enumValueName(value), value]))
  return named.size === values.length && [...named.keys()].every(isEnumValueName) ? named : undefined
}

/** The values that GraphQL writes as words, which no value of an enumeration can be. */
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null'])

const isEnumValueName = (name: string): boolean => isGraphqlName(name) && !literals.has(name)

/** Whether GraphQL can write a name. */
export const isGraphqlName = (name: string): boolean => /^(?!__)[_A-Za-z]\w*$/.test(name)
