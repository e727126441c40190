import type { Octavo, RequestState } from '@octavo/core'
import { isComparable, takes } from '@octavo/core/internal'
import { type Attribute, type DeclaredOperators, type Model, operators } from '@octavo/core/plugin'
import { pathOf } from '../pages/overview.ts'
import type { ModelAttribute, ModelOperator, ModelType, QueryModel } from './model.ts'

/** @param state May read all locales. */
export async function queryModelOf(octavo: Octavo, prefix: string, state: RequestState): Promise<QueryModel> {
  const { contentTypes, components } = octavo.registry
  const { pathSteps, manySteps, populateDepth } = octavo.limits
  const types = [...contentTypes.values()].map(
    (type): ModelType => ({
      uid: type.uid,
      name: type.displayName,
      ...(type.uid.startsWith('api::') && { path: pathOf(type, prefix) }),
      isSingle: type.kind === 'singleType',
      hasDrafts: type.attributes.has('publishedAt') && type.options.draftAndPublish === true,
      isLocalized: type.attributes.has('locale') && type.attributes.has('localizations'),
      attributes: attributesOf(type, octavo.operators),
    }),
  )
  return {
    prefix,
    types: types.toSorted((one, other) => one.name.localeCompare(other.name)),
    components: Object.fromEntries(
      [...components.values()].map((model) => [model.uid, attributesOf(model, octavo.operators)]),
    ),
    operators: operatorsOf(octavo.operators),
    pathSteps,
    manySteps,
    populateDepth,
    locales: contentTypes.has(localeUid) ? await localesOf(octavo, state) : [],
  }
}

function operatorsOf(added: DeclaredOperators): Readonly<Record<string, ModelOperator>> {
  const own = Object.entries(operators).map(([name, { operand, meaning }]): [string, ModelOperator] => [
    name,
    { operand, meaning },
  ])
  const ofPlugins = [...added.values()].map(({ name, meaning, example }): [string, ModelOperator] => [
    name,
    { operand: 'one', meaning, example },
  ])
  return Object.fromEntries([...own, ...ofPlugins])
}

const localeUid = 'plugin::i18n.locale'

async function localesOf(octavo: Octavo, state: RequestState): Promise<readonly string[]> {
  const { data } = await octavo.entries(localeUid, state).find({ pagination: { pageSize: 100 } })
  return data.map(({ attributes }) => String(attributes.code))
}

const attributesOf = (model: Model, added: DeclaredOperators): readonly ModelAttribute[] =>
  [model.id, ...model.attributes.values()]
    .filter((attribute) => !attribute.private)
    .map((attribute) => describe(attribute, added))

function describe(attribute: Attribute, added: DeclaredOperators): ModelAttribute {
  const { name, definition } = attribute
  switch (attribute.kind) {
    case 'scalar':
    case 'computed': {
      const { type } = attribute
      const own = isComparable(attribute)
        ? [
            ...Object.entries(operators).flatMap(([name, { on }]) =>
              takes(type.operators, on) ? [name] : [],
            ),
            ...[...added.values()].flatMap(({ name, on }) => (on.includes(type.name) ? [name] : [])),
          ]
        : []
      return {
        name,
        kind: 'scalar',
        type: type.name,
        operators: own,
        ...(Array.isArray(definition.enum) && { values: definition.enum.map(String) }),
      }
    }
    case 'relation':
      return {
        name,
        kind: 'relation',
        type: attribute.typeName,
        operators: [],
        target: attribute.target,
        isPath: attribute.filterable,
        isMany: attribute.many,
      }
    case 'component':
      return {
        name,
        kind: 'component',
        type: 'component',
        operators: [],
        target: attribute.component,
        isPath: true,
        isMany: attribute.repeatable,
      }
    case 'zone':
      return { name, kind: 'zone', type: 'dynamiczone', operators: [] }
  }
}
