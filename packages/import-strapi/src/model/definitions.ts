import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from '@octavo/core'
import { keyColumns, scalarColumn } from '@octavo/core/internal'
import type { Data, Schema, SchemaAttribute } from '../records.ts'
import {
  type AddedAttributes,
  changedAttributes,
  marked,
  ofEveryFile,
  ofEveryUser,
  privateNames,
} from './added-attributes.ts'
import { automaticAttributes, reserved } from './automatic.ts'
import { fileUid, folderUid, isOwnType, isTaken, permissionUid, userUid, whyLeftBehind } from './uids.ts'

/** A part of the project without a counterpart in Octavo. */
export interface LeftOutPart {
  /** `api::article.article`, or `api::article.article.reviewer`. */
  readonly what: string
  readonly why: string
}

/** The content-types of a project as definitions. */
export interface ProjectDefinitions extends AddedAttributes {
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
  readonly leftOut: readonly LeftOutPart[]
}

/** Makes definitions from the schemas of a source. Types of third-party plugins keep their uid. */
export function toDefinitions(schemas: readonly Schema[]): ProjectDefinitions {
  const leftOut: LeftOutPart[] = []
  const schemaOf = new Map(schemas.map((schema) => [schema.uid, schema]))
  const attributesOf = (
    schema: Schema,
    besides: ReadonlySet<string> = new Set(),
  ): Record<string, AttributeDefinition> => {
    const columnName = columnNamesOf(schema)
    const automatic = automaticAttributes(schema)
    return Object.fromEntries(
      Object.entries(schema.attributes).flatMap(([name, attribute]) => {
        if (automatic.has(name) || besides.has(name)) return []
        const why = whyNameTaken(schema.uid, name) ?? whyLeftOut(attribute, schemaOf)
        if (why !== undefined) {
          leftOut.push({ what: `${schema.uid}.${name}`, why })
          return []
        }
        for (const uid of missingItems(attribute, schemaOf))
          leftOut.push({
            what: `${schema.uid}.${name}`,
            why: `has items of the component ${uid}, which does not exist`,
          })
        return [[name, { ...toAttribute(name, attribute, schema, schemaOf), ...columnName(name) }]]
      }),
    )
  }
  const contentTypes: ContentTypeDefinition[] = []
  const components: ComponentDefinition[] = []
  let userAttributes: Readonly<Record<string, AttributeDefinition>> = {}
  let fileAttributes: Readonly<Record<string, AttributeDefinition>> = {}
  let privateUserAttributes: readonly string[] = []
  let privateFileAttributes: readonly string[] = []
  for (const schema of schemas) {
    if (schema.uid === userUid) {
      userAttributes = { ...attributesOf(schema, ofEveryUser), ...changedAttributes(schema) }
      privateUserAttributes = privateNames(schema)
    } else if (schema.uid === fileUid) {
      fileAttributes = attributesOf(schema, ofEveryFile)
      privateFileAttributes = privateNames(schema)
    } else if (schema.modelType === 'component') {
      components.push(marked(componentOf(schema, attributesOf(schema)), schema.uid))
    } else if (!isOwnType(schema.uid) && whyLeftBehind(schema.uid) === undefined) {
      contentTypes.push(marked(contentTypeOf(schema, attributesOf(schema)), schema.uid))
    }
  }
  return {
    ...{ contentTypes, components, leftOut },
    ...{ userAttributes, fileAttributes, privateUserAttributes, privateFileAttributes },
  }
}

const contentTypeOf = (
  { uid, kind, collectionName, info, options, pluginOptions }: Schema,
  attributes: Record<string, AttributeDefinition>,
): ContentTypeDefinition => ({
  kind: kind ?? 'collectionType',
  ...(uid !== defaultUid(info) && { uid }),
  ...(collectionName !== undefined && { collectionName }),
  info: (info ?? {}) as ContentTypeDefinition['info'], // the registry checks it
  ...(options !== undefined && { options }),
  ...(pluginOptions !== undefined && { pluginOptions }),
  attributes,
})

const defaultUid = (info: Data | undefined): string => `api::${info?.singularName}.${info?.singularName}`

const componentOf = (
  { uid, collectionName, info, options }: Schema,
  attributes: Record<string, AttributeDefinition>,
): ComponentDefinition => ({
  uid,
  ...(collectionName !== undefined && { collectionName }),
  ...(info !== undefined && { info }),
  ...(options !== undefined && { options }),
  attributes,
})

/** The reason why an attribute with this name has no place; `undefined` when it has one. */
function whyNameTaken(uid: string, name: string): string | undefined {
  if (reserved.includes(name)) return 'has a name that is reserved here'
  return isTaken(uid, name)
    ? 'has the name of an attribute that Octavo has for itself; rename it in the project to import its values'
    : undefined
}

/** The reason why an attribute has no counterpart; `undefined` when it has one. */
function whyLeftOut(attribute: SchemaAttribute, known: ReadonlyMap<string, Schema>): string | undefined {
  const { type, target } = attribute
  if (type === 'component')
    return known.has(String(attribute.component))
      ? undefined
      : `the component ${attribute.component} does not exist`
  if (type === 'dynamiczone' && Array.isArray(attribute.components))
    return attribute.components.some((uid) => known.has(String(uid)))
      ? undefined
      : 'is a dynamic zone without a component that exists'
  if (type !== 'relation' || typeof target !== 'string') return undefined
  const why = whyLeftBehind(target)
  if (why !== undefined) return `relates to ${target}, which ${why}`
  if (target === folderUid) return 'relates to folders, which are no content-type here'
  if (target === permissionUid) return 'relates to permissions, which are parts of their roles here'
  return known.has(target) ? undefined : `relates to ${target}, which does not exist`
}

/** The components of a zone that the source does not have. */
const missingItems = (
  { type, components }: SchemaAttribute,
  known: ReadonlyMap<string, Schema>,
): readonly string[] =>
  type === 'dynamiczone' && Array.isArray(components)
    ? components.map(String).filter((uid) => !known.has(uid))
    : []

function toAttribute(
  name: string,
  attribute: SchemaAttribute,
  schema: Schema,
  known: ReadonlyMap<string, Schema>,
): AttributeDefinition {
  if (attribute.type === 'dynamiczone' && Array.isArray(attribute.components))
    return { ...attribute, components: attribute.components.filter((uid) => known.has(String(uid))) }
  const definition = attribute as AttributeDefinition
  if (attribute.type !== 'relation') return definition
  const { inversedBy, ...rest } = definition
  // Strapi reads and writes an attribute that is its own inverse in one direction.
  if (inversedBy === name && attribute.target === schema.uid) return rest
  return isSecondOwner(name, attribute, schema, known) ? { ...rest, mappedBy: inversedBy } : definition
}

/**
 * Whether both sides of a relation have `inversedBy`, a frequent mistake, and this is the side that becomes the inverse one. Strapi then
 * reads and writes one table from both sides, so that either may be the owner.
 */
function isSecondOwner(
  name: string,
  { relation, target, inversedBy }: SchemaAttribute,
  schema: Schema,
  known: ReadonlyMap<string, Schema>,
): boolean {
  if (typeof inversedBy !== 'string' || typeof target !== 'string') return false
  const other = known.get(target)?.attributes[inversedBy]
  if (other?.inversedBy !== name || other.target !== schema.uid) return false
  // The key is on the side of the many.
  if (relation === 'oneToMany' || other.relation === 'oneToMany') return relation === 'oneToMany'
  const own = `${schema.uid} ${name}`
  const theirs = `${target} ${inversedBy}`
  return own > theirs
}

const withoutColumn: ReadonlySet<string> = new Set(['relation', 'media', 'component', 'dynamiczone'])

/**
 * Gives values other columns than the keys of relations. Strapi has all links in tables of their own, so that an attribute `authorId` may be
 * beside a relation `author`.
 */
function columnNamesOf({ modelType, attributes }: Schema): (name: string) => { columnName?: string } {
  const of = { kind: modelType === 'component' ? 'component' : 'collectionType' }
  const keys = new Set(
    Object.entries(attributes)
      .filter(
        ([, { relation, mappedBy }]) =>
          /^(?:one|many)ToOne$/.test(String(relation)) && mappedBy === undefined,
      )
      .flatMap(([name]) => Object.values(keyColumns(of, name))),
  )
  return (name) => {
    const column = scalarColumn(of, name)
    const hasColumn = !withoutColumn.has(String(attributes[name]?.type))
    return hasColumn && keys.has(column) ? { columnName: `${column}_value` } : {}
  }
}
