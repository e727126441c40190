import {
  type AttributeType,
  InvalidValue,
  type LinkType,
  type ScalarType,
  type SiblingsType,
} from '../attribute-type.ts'
import { checkCounts } from '../attribute-types/definition-checks.ts'
import { scalarTypes } from '../attribute-types/table.ts'
import { datetime } from '../attribute-types/time.ts'
import type { AttributeDefinition } from '../definition.ts'
import { identifier, snakeCase } from '../identifier.ts'
import {
  type Attribute,
  type ComponentAttribute,
  ownerColumns,
  type RelationAttribute,
  type ScalarAttribute,
  type ZoneAttribute,
} from '../model.ts'
import { didYouMean } from '../nearest.ts'
import type { ComponentDraft, ContentTypeDraft, Draft } from './draft.ts'
import { isGiven } from './draft.ts'
import { checkAttributeKeys } from './known-keys.ts'
import { isMorphTo } from './morph.ts'
import { show } from './names.ts'
import { buildRelation } from './relation.ts'

/** The possible targets of an attribute. */
export interface Surroundings {
  readonly contentTypes: ReadonlyMap<string, ContentTypeDraft>
  readonly components: ReadonlyMap<string, ComponentDraft>
  readonly types: ReadonlyMap<string, AttributeType>
  /** The plugins that provide missing types, by type. */
  readonly absentTypes: ReadonlyMap<string, string>
  /** Called for an attribute that is omitted or simplified. */
  readonly absent: (type: string, draft: Draft, name: string) => void
  readonly simplified: (customField: string, type: string, draft: Draft, name: string) => void
  readonly dangling: (draft: Draft, name: string, missing: string) => void
}

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
  }
  if (draft.kind !== 'component') {
    for (const name of ['createdAt', 'updatedAt'])
      attributes.set(name, Object.freeze(scalar(draft, name, timestamp, datetime)))
  }
  checkColumns(draft, attributes)
  checkTargetFields(draft)
  return attributes
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
      return relation(buildRelation(draft, name, definition, around.contentTypes, around.dangling))
    case 'component':
      return component(draft, name, definition, around)
    case 'dynamiczone':
      return zone(draft, name, definition, around)
    default: {
      const type = typeOf(draft, name, definition, around)
      if (!type) return undefined
      if (type.kind === 'scalar') return checkedScalar(draft, name, definition, type)
      return type.kind === 'link'
        ? link(draft, name, definition, type, around)
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

function checkedScalar(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  type: ScalarType,
): ScalarAttribute {
  const path = ['attributes', name]
  const mistakes = type.check(definition)
  for (const mistake of mistakes) draft.report([...path, ...mistake.path], mistake.message)
  if (mistakes.length === 0) checkDefault(draft, path, definition, type)
  return scalar(draft, name, definition, type)
}

/** Checks that the default is a valid value, else every create that uses it would fail. Functions are not called here. */
function checkDefault(
  draft: Draft,
  path: readonly string[],
  definition: AttributeDefinition,
  type: ScalarType,
): void {
  const { default: given } = definition
  if (!isGiven(given) || typeof given === 'function') return
  try {
    for (const violation of type.constraints(type.fromJson(given, definition), definition))
      draft.report([...path, 'default'], violation)
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    draft.report([...path, 'default'], `must be ${error.message}, not ${show(given)}`)
  }
}

function scalar(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  type: ScalarType,
): ScalarAttribute {
  return {
    kind: 'scalar',
    name,
    definition,
    private: definition.private === true || type.secret,
    type,
    column: columnOf(draft, name),
  }
}

/** `field` and `position` are common names in components, whose tables have columns of that name: such columns get a prefix. */
function columnOf(draft: Draft, name: string): string {
  const column = identifier(snakeCase(name))
  return draft.kind === 'component' && ownColumns.has(column) ? `attr_${column}` : column
}

const ownColumns: ReadonlySet<string> = new Set(Object.values(ownerColumns))

function component(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  { components }: Surroundings,
): ComponentAttribute | undefined {
  const path = ['attributes', name]
  for (const mistake of checkCounts(definition)) draft.report([...path, ...mistake.path], mistake.message)
  const uid = componentUid(draft, [...path, 'component'], definition.component, components)
  if (uid === undefined) return undefined
  return {
    kind: 'component',
    name,
    definition,
    private: definition.private === true,
    component: uid,
    repeatable: definition.repeatable === true,
  }
}

function zone(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  { components }: Surroundings,
): ZoneAttribute | undefined {
  const path = ['attributes', name]
  for (const mistake of checkCounts(definition)) draft.report([...path, ...mistake.path], mistake.message)
  const listed = definition.components
  if (!Array.isArray(listed) || listed.length === 0) {
    draft.report([...path, 'components'], 'must list the components that it takes, such as ["shared.quote"]')
    return undefined
  }
  const uids: string[] = []
  for (const [i, item] of listed.entries()) {
    const here = [...path, 'components', String(i)]
    const uid = componentUid(draft, here, item, components)
    if (uid === undefined) continue
    if (uids.includes(uid)) draft.report(here, `${show(uid)} is listed twice`)
    uids.push(uid)
  }
  return {
    kind: 'zone',
    name,
    definition,
    private: definition.private === true,
    components: Object.freeze(uids),
  }
}

function componentUid(
  draft: Draft,
  path: readonly string[],
  uid: unknown,
  components: ReadonlyMap<string, ComponentDraft>,
): string | undefined {
  if (typeof uid === 'string' && components.has(uid)) return uid
  draft.report(
    path,
    typeof uid === 'string'
      ? `there is no component ${show(uid)}${didYouMean(uid, components.keys())}`
      : `must be the uid of a component, such as shared.seo, not ${show(uid)}`,
  )
  return undefined
}

function link(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  type: LinkType,
  { contentTypes }: Surroundings,
): RelationAttribute | undefined {
  const path = ['attributes', name]
  for (const mistake of type.check(definition)) draft.report([...path, ...mistake.path], mistake.message)
  if (!contentTypes.has(type.target)) {
    draft.report(
      [...path, 'type'],
      `the type ${type.name} leads to ${type.target}, and there is no such content-type`,
    )
    return undefined
  }
  return relation({
    kind: 'relation',
    typeName: type.name,
    name,
    definition,
    private: definition.private === true,
    target: type.target,
    many: type.many(definition),
    exclusive: false,
    inverse: undefined,
    storage: { kind: 'link', table: type.table, target: type.column },
    filterable: type.filterable,
    empty: type.empty,
    part: true,
  })
}

function siblings(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  type: SiblingsType,
): RelationAttribute | undefined {
  if (draft.kind === 'component') {
    draft.report(
      ['attributes', name, 'type'],
      `the type ${type.name} is for content-types: a component has no siblings`,
    )
    return undefined
  }
  return {
    kind: 'relation',
    typeName: type.name,
    name,
    definition,
    private: definition.private === true,
    target: draft.uid,
    many: true,
    exclusive: false,
    inverse: undefined,
    storage: { kind: 'siblings', column: type.column },
    filterable: true,
    empty: 'list',
    part: false,
  }
}

/** PostgreSQL's limit is 1,600 columns per table, including dropped ones. */
const maxColumns = 1_500

function checkColumns(draft: Draft, attributes: ReadonlyMap<string, Attribute>): void {
  const owners = new Map<string, string>([['id', 'the id']])
  if (draft.kind === 'component')
    for (const column of ownColumns) owners.set(column, 'the owner of the component')
  for (const attribute of attributes.values()) {
    for (const column of columnsOf(attribute)) {
      const owner = owners.get(column)
      if (owner === undefined) owners.set(column, `the attribute "${attribute.name}"`)
      // The group key of siblings is one column, whatever the number of attributes.
      else if (
        !(
          attribute.kind === 'relation' &&
          attribute.storage.kind === 'siblings' &&
          attributesShare(attributes, owner, column)
        )
      ) {
        draft.report(
          ['attributes', attribute.name],
          `its column "${column}" is taken by ${owner}; rename one of them`,
        )
      }
    }
  }
  if (owners.size > maxColumns)
    draft.report(
      ['attributes'],
      `needs ${owners.size} columns; a table has at most ${maxColumns}: move some into components`,
    )
}

const attributesShare = (
  attributes: ReadonlyMap<string, Attribute>,
  owner: string,
  column: string,
): boolean =>
  [...attributes.values()].some(
    (other) =>
      owner === `the attribute "${other.name}"` &&
      other.kind === 'relation' &&
      other.storage.kind === 'siblings' &&
      other.storage.column === column,
  )

/** The columns of an attribute in its owner's table. */
function columnsOf(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'scalar') return [attribute.column]
  if (attribute.kind !== 'relation') return []
  const { storage } = attribute
  if (storage.kind === 'siblings') return [storage.column]
  return storage.kind === 'own'
    ? [storage.column, storage.position].filter((column) => column !== undefined)
    : []
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
