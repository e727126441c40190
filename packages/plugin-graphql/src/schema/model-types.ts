import { isComparable, isValue } from '@octavo/core/internal'
import type { Attribute, ContentType, Model, Registry } from '@octavo/core/plugin'
import type { Definitions } from './definitions.ts'
import { enumName, enumValues, typeName, zoneName } from './names.ts'
import { attributesOf, hasDrafts, isMedia, isRequired, isSet, isShown, scalarOf } from './values.ts'

/** Adds the types of a model: its object, its inputs, its enumerations and zones, and for entries their envelopes. */
export function addModel(types: Definitions, model: Model, registry: Registry): void {
  const name = typeName(model)
  for (const attribute of attributesOf(model)) addOwnTypes(types, model, attribute, registry)
  types.add(name, model.uid, object('type', name, outputFields(model, registry)))
  types.add(`${name}Input`, model.uid, object('input', `${name}Input`, inputFields(model, registry)))
  const filters = `${name}FiltersInput`
  types.add(filters, model.uid, object('input', filters, filterFields(model, filters, registry)))
  if (model.kind !== 'component') addEnvelopes(types, name, model)
}

function addEnvelopes(types: Definitions, name: string, { uid }: ContentType): void {
  types.add(`${name}Entity`, uid, object('type', `${name}Entity`, ['id: ID', `attributes: ${name}`]))
  const one = `${name}EntityResponse`
  types.add(one, uid, object('type', one, [`data: ${name}Entity`]))
  const list = `${name}EntityResponseCollection`
  types.add(list, uid, object('type', list, [`data: [${name}Entity!]!`, 'meta: ResponseCollectionMeta!']))
  const related = `${name}RelationResponseCollection`
  types.add(related, uid, object('type', related, [`data: [${name}Entity!]!`]))
}

/** The enumeration or the zone of an attribute. */
function addOwnTypes(types: Definitions, model: Model, attribute: Attribute, registry: Registry): void {
  const place = `${model.uid}.${attribute.name}`
  if (attribute.kind === 'zone') {
    const name = zoneName(model, attribute.name)
    const members = attribute.components.map((uid) => typeName(registry.component(uid)))
    types.add(name, place, `union ${name} = ${[...members, 'Error'].join(' | ')}`)
    types.add(`${name}Input`, place, `scalar ${name}Input`)
    types.zones.set(`${name}Input`, members)
  }
  const values = enumValues(attribute)
  if (values) types.addEnum(enumName(model, attribute), place, values)
}

const object = (kind: 'type' | 'input', name: string, fields: readonly string[]): string =>
  `${kind} ${name} {\n  ${fields.join('\n  ')}\n}`

function outputFields(model: Model, registry: Registry): readonly string[] {
  const fields = attributesOf(model)
    .filter(isShown)
    .map((attribute) => {
      const text = outputField(model, attribute, registry)
      const { description } = attribute.definition
      const said = typeof description === 'string' ? `${JSON.stringify(description)}\n  ` : ''
      return `${said}${attribute.name}${text}${isRequired(attribute, model) ? '!' : ''}`
    })
  return model.kind === 'component' ? ['id: ID!', ...fields] : fields
}

/** The arguments and the type of a field: `: String`, `(sort: [String] = []): [ComponentSharedLink]`. */
function outputField(model: Model, attribute: Attribute, registry: Registry): string {
  switch (attribute.kind) {
    case 'scalar':
    case 'computed':
      return `: ${valueType(model, attribute)}`
    case 'component': {
      const name = typeName(registry.component(attribute.component))
      return attribute.repeatable ? `${listArguments(name, [])}: [${name}]` : `: ${name}`
    }
    case 'zone':
      return `: [${zoneName(model, attribute.name)}]`
    case 'relation': {
      const target = registry.contentType(attribute.target)
      const name = typeName(target)
      if (!attribute.many) return `: ${name}EntityResponse`
      const state = hasDrafts(target) ? ['publicationState: PublicationState = LIVE'] : []
      const given = target.kind === 'singleType' ? argumentList(state) : listArguments(name, state)
      return `${given}: ${name}RelationResponseCollection`
    }
  }
}

const valueType = (model: Model, attribute: Attribute): string =>
  enumValues(attribute) ? enumName(model, attribute) : scalarOf(attribute)

export const listArguments = (name: string, more: readonly string[]): string =>
  argumentList([
    `filters: ${name}FiltersInput`,
    'pagination: PaginationArg = {}',
    'sort: [String] = []',
    ...more,
  ])

export const argumentList = (all: readonly string[]): string =>
  all.length === 0 ? '' : `(${all.join(', ')})`

function inputFields(model: Model, registry: Registry): readonly string[] {
  const fields = attributesOf(model)
    .filter((attribute) => !isSet(attribute, model) && attribute.kind !== 'computed')
    .map((attribute) => `${attribute.name}: ${inputType(model, attribute, registry)}`)
  const all = model.kind === 'component' ? ['id: ID', ...fields] : fields
  // An input needs a field.
  return all.length === 0 ? ['_: Boolean'] : all
}

function inputType(model: Model, attribute: Attribute, registry: Registry): string {
  switch (attribute.kind) {
    case 'scalar':
    case 'computed':
      return valueType(model, attribute)
    case 'component': {
      const name = `${typeName(registry.component(attribute.component))}Input`
      return attribute.repeatable ? `[${name}]` : name
    }
    case 'zone':
      return `[${zoneName(model, attribute.name)}Input!]`
    case 'relation':
      return attribute.many ? '[ID]' : 'ID'
  }
}

function filterFields(model: Model, own: string, registry: Registry): readonly string[] {
  const joins = { and: `[${own}]`, or: `[${own}]`, not: own }
  const fields = attributesOf(model).flatMap((attribute) => {
    const type = filterType(attribute, registry)
    return type === undefined || Object.hasOwn(joins, attribute.name) ? [] : [`${attribute.name}: ${type}`]
  })
  const joined = Object.entries(joins).map(([name, type]) => `${name}: ${type}`)
  return [...(model.kind === 'component' ? [] : ['id: IDFilterInput']), ...fields, ...joined]
}

function filterType(attribute: Attribute, registry: Registry): string | undefined {
  if (isValue(attribute)) return isComparable(attribute) ? `${scalarOf(attribute)}FilterInput` : undefined
  if (attribute.kind === 'component')
    return `${typeName(registry.component(attribute.component))}FiltersInput`
  if (attribute.kind === 'zone' || isMedia(attribute) || !attribute.filterable) return undefined
  return `${typeName(registry.contentType(attribute.target))}FiltersInput`
}
