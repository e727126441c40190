import type { AttributeType } from '../attribute-type.ts'
import { scalarTypes } from '../attribute-types/table.ts'
import { datetime } from '../attribute-types/time.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import type { Draft } from '../draft/drafts.ts'
import { isGiven, isListOfTexts } from '../draft/given.ts'
import { checkAttributeKeys } from '../draft/known-keys.ts'
import { show } from '../draft/names.ts'
import type { Attribute, RelationAttribute } from '../model.ts'
import { didYouMean } from '../nearest.ts'
import { checkColumns } from './columns.ts'
import { component, zone } from './component.ts'
import { withComputed } from './computed.ts'
import { isMorphTo } from './morph.ts'
import { link, siblings } from './plugin-types.ts'
import { buildRelation } from './relation.ts'
import { checkRenames } from './renames.ts'
import { checkedScalar, scalar } from './scalar.ts'
import type { Surroundings } from './surroundings.ts'

/** Kinds that only core has: they need more than one column. */
const structural = ['relation', 'component', 'dynamiczone'] as const

/** The attributes of a definition, resolved, including those of every content-type. Mistakes are reported. */
export function buildAttributes(draft: Draft, around: Surroundings): ReadonlyMap<string, Attribute> {
  const attributes = new Map<string, Attribute>()
  for (const [name, definition] of draft.attributes) {
    const { type } = definition
    const isOwn = scalarTypes.has(type) || structural.some((kind) => kind === type)
    checkAttributeKeys(definition, around.types.get(type), isOwn, ['attributes', name], draft.reportKey)
    const attribute = build(draft, name, definition, around)
    if (attribute) attributes.set(name, Object.freeze(attribute))
    if (attribute && attribute.kind !== 'scalar' && isGiven(definition.columnName))
      draft.report(['attributes', name, 'columnName'], 'is of attributes with a value of their own only')
  }
  if (draft.kind !== 'component') {
    for (const name of ['createdAt', 'updatedAt']) {
      const definition = draft.privateNames.has(name) ? { ...timestamp, private: true } : timestamp
      attributes.set(name, Object.freeze(scalar(draft, name, definition, datetime)))
    }
  }
  const all = withComputed(draft, attributes)
  checkColumns(draft, all)
  checkTargetFields(draft)
  checkScopes(draft, all)
  checkRenames(draft)
  return all
}

const timestamp: AttributeDefinition = Object.freeze({ type: 'datetime' })

function build(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  around: Surroundings,
): Attribute | undefined {
  switch (definition.type) {
    case 'relation':
      if (isMorphTo(definition)) return undefined
      return relation(buildRelation(draft, name, definition, around.contentTypes, around.uneven))
    case 'component':
      return component(draft, name, definition, around)
    case 'dynamiczone':
      return zone(draft, name, definition, around)
    default: {
      const type = typeOf(draft, name, definition, around)
      if (!type) return undefined
      if (type.kind === 'scalar') return checkedScalar(draft, name, definition, type)
      return type.kind === 'link'
        ? relation(link(draft, name, definition, type, around))
        : relation(siblings(draft, name, definition, type))
    }
  }
}

/** A relation with its storage frozen. */
const relation = (attribute: RelationAttribute | undefined): RelationAttribute | undefined =>
  attribute && { ...attribute, storage: Object.freeze(attribute.storage) }

function typeOf(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  around: Surroundings,
): AttributeType | undefined {
  const { type, customField } = definition
  const known = around.types.get(type)
  if (type === 'customField' || (known?.kind === 'scalar' && isGiven(customField))) {
    const base = known ?? around.types.get('string')
    around.simplified(
      typeof customField === 'string' ? customField : 'without a name',
      base?.name ?? 'string',
      draft,
      name,
    )
    return base
  }
  if (known) return known
  if (around.absentTypes.has(type)) {
    around.absent(type, draft, name)
    return undefined
  }
  const names = [...around.types.keys(), ...structural]
  draft.report(
    ['attributes', name, 'type'],
    `there is no attribute type ${show(type)}${didYouMean(type, names, `; there are ${names.join(', ')}`)}`,
  )
  return undefined
}

function checkTargetFields(draft: Draft): void {
  for (const [name, definition] of draft.attributes) {
    if (definition.type !== 'uid' || !isGiven(definition.targetField)) continue
    const path = ['attributes', name, 'targetField']
    const field = definition.targetField
    if (typeof field !== 'string') draft.report(path, `must be the name of an attribute, not ${show(field)}`)
    else if (!draft.attributes.has(field))
      draft.report(path, `there is no attribute ${show(field)}${didYouMean(field, draft.attributes.keys())}`)
    else if (structural.some((type) => type === draft.attributes.get(field)?.type))
      draft.report(path, `"${field}" is no text that an address can be made of`)
  }
}

/** Reports scopes of `uniqueWithin` that rows have no comparable value of: values would be unique among more rows than the definition says. */
function checkScopes(draft: Draft, attributes: ReadonlyMap<string, Attribute>): void {
  for (const [name, { type, unique, uniqueWithin }] of draft.attributes) {
    if (attributes.get(name)?.kind !== 'scalar' || !isListOfTexts(uniqueWithin)) continue
    const path = ['attributes', name, 'uniqueWithin']
    if (!(unique ?? type === 'uid'))
      draft.report(path, 'has no effect without "unique": true; add that, or remove both')
    for (const [i, scope] of uniqueWithin.entries()) {
      const reason = reasonAgainstScope(scope, draft, attributes)
      if (reason) draft.report([...path, String(i)], reason)
    }
  }
}

/** An attribute whose type is absent has been reported, or is omitted with a warning. */
function reasonAgainstScope(
  scope: string,
  draft: Draft,
  attributes: ReadonlyMap<string, Attribute>,
): string | undefined {
  const attribute = attributes.get(scope)
  if (!attribute)
    return draft.attributes.has(scope)
      ? undefined
      : `there is no attribute ${show(scope)}${didYouMean(scope, attributes.keys())}`
  const isComparable =
    attribute.kind === 'scalar' &&
    !attribute.type.secret &&
    attribute.type.column(attribute.definition) !== 'jsonb'
  return isComparable
    ? undefined
    : `"${scope}" is no value that rows are compared by; name a text, a number, a date or a boolean`
}
