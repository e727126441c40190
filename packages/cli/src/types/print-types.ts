import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from '@octavo/core'
import type { Attribute, Registry } from '@octavo/core/plugin'

export interface PrintedModel {
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
  /** Packages whose types are loaded: plugins that declare attributes and parameters. */
  readonly imports: readonly string[]
}

/** The options of an attribute that its type depends on. */
const typed = [
  'type',
  'required',
  'private',
  'multiple',
  'enum',
  'relation',
  'target',
  'component',
  'repeatable',
  'components',
] as const

/** Attributes whose types the packages of plugins declare, in `AddedAttributes`. */
const declared: ReadonlySet<string> = new Set(['locale', 'localizations', 'publishedAt'])

/**
 * A definition with the attributes that plugins add to it, computed ones included. Private ones are left out, as they are in no answer,
 * and those of which the plugin declares the type.
 */
export function withAdded<D extends ContentTypeDefinition | ComponentDefinition>(
  definition: D,
  uid: string,
  registry: Registry,
): D {
  const model = registry.model(uid)
  const all: Readonly<Record<string, AttributeDefinition>> = {
    ...model.definition.attributes,
    ...Object.fromEntries([...model.attributes.values()].flatMap(computedOf)),
  }
  const added = Object.entries(all).filter(
    ([name, attribute]) =>
      !Object.hasOwn(definition.attributes, name) && !attribute.private && !declared.has(name),
  )
  // The model knows of `options.privateAttributes`.
  const own = Object.entries(definition.attributes).map(([name, attribute]) => [
    name,
    model.attributes.get(name)?.private ? { ...attribute, private: true } : attribute,
  ])
  return { ...definition, attributes: { ...Object.fromEntries(own), ...Object.fromEntries(added) } }
}

const computedOf = (attribute: Attribute): readonly (readonly [string, AttributeDefinition])[] =>
  attribute.kind === 'computed' ? [[attribute.name, attribute.definition]] : []

/** By which a later run recognizes its file. */
export const firstLine = '// Written by `octavo types`; changes are overwritten.'

/** The text of the file of `octavo types`: the definitions as types, in the order of their uids. */
export function printTypes({ contentTypes, components, imports }: PrintedModel): string {
  const models = [
    ...contentTypes.map((type) => [uidOf(type), contentType(type)] as const),
    ...components.map((component) => [component.uid, printed(componentType(component), '  ')] as const),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${firstLine}
/* eslint-disable */
// biome-ignore-all lint: a generated file
${[...new Set(['@octavo/core', ...imports])]
  .toSorted()
  .map((name) => `${ifInstalled(name)}import type {} from ${literal(name)}\n`)
  .join('')}
/** The content-types and components by uid, for \`createClient<ContentTypes>\`. */
export interface ContentTypes {
${models.map(([uid, text]) => `  ${literal(uid)}: ${text}\n`).join('')}}

${declaring.map((name) => `${ifInstalled(name)}declare module '${name}' {\n  interface RegisteredTypes extends ContentTypes {}\n}\n`).join('')}`
}

/** The packages whose programs use the types without naming them. */
const declaring = ['@octavo/core', '@octavo/client']

/** A front end has @octavo/client only, which has the types of Octavo's own plugins. */
const ifInstalled = (name: string): string =>
  name.startsWith('@octavo/') ? '// @ts-ignore: where it is installed\n' : ''

export const uidOf = ({ uid, info }: ContentTypeDefinition): string =>
  uid ?? `api::${info.singularName}.${info.singularName}`

function contentType(type: ContentTypeDefinition): string {
  const { kind, info, options, pluginOptions, attributes } = type
  const { singularName, pluralName } = info
  const { i18n } = (pluginOptions ?? {}) as { readonly i18n?: { readonly localized?: unknown } }
  return printed(
    {
      kind: literal(kind),
      uid: literal(uidOf(type)),
      info: `{ singularName: ${literal(singularName)}; pluralName: ${literal(pluralName)} }`,
      ...optionsOf(options),
      ...(i18n?.localized === true && { pluginOptions: '{ i18n: { localized: true } }' }),
      attributes: attributesOf(attributes),
    },
    '  ',
  )
}

/** The options that types of queries and entries depend on. */
function optionsOf(options: ContentTypeDefinition['options']): { readonly options?: string } {
  const kept = [
    ...(options?.draftAndPublish === true ? ['draftAndPublish: true'] : []),
    ...(options?.search?.mode === 'fulltext'
      ? ["search: { attributes: readonly string[]; mode: 'fulltext' }"]
      : []),
  ]
  return kept.length === 0 ? {} : { options: `{ ${kept.join('; ')} }` }
}

const componentType = ({ uid, attributes }: ComponentDefinition): Printed => ({
  uid: literal(uid),
  attributes: attributesOf(attributes),
})

const attributesOf = (attributes: Readonly<Record<string, AttributeDefinition>>): Printed =>
  Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, attributeOf(attribute)]))

/** On one line. */
function attributeOf(attribute: AttributeDefinition): string {
  const options = typed.flatMap((name) => {
    const value = attribute[name]
    // `false` is the default of every option.
    return value === undefined || value === null || value === false ? [] : [`${name}: ${literal(value)}`]
  })
  // Input may lack an attribute with a default, whatever its value.
  if (attribute.computed !== undefined) options.push('computed: true')
  if (attribute.default !== undefined) options.push('default: unknown')
  return `{ ${options.join('; ')} }`
}

/** A type as text, or the properties of an object type. */
type Printed = string | { readonly [name: string]: Printed }

function printed(type: Printed, indent: string): string {
  if (typeof type === 'string') return type
  const lines = Object.entries(type).map(
    ([name, value]) => `${indent}  ${propertyName(name)}: ${printed(value, `${indent}  `)}\n`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`
}

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

/** The literal type of a JSON value. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  return Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : JSON.stringify(value)
}
