import type { AttributeDefinition } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import {
  type ActionDeclaration,
  type Component,
  type ContentType,
  type Model,
  problem,
  type Registry,
} from '@octavo/core/plugin'
import type { ApiOperation, JsonSchema, Routes } from '@octavo/server'

/** The names of the reference server's routes, actions and keys: tools such as gatsby-source-strapi read them. */
const owner = 'plugin::content-type-builder'

/** Attributes that the server and its plugins add. */
const added: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
])

interface DefinitionRoute {
  readonly path: string
  readonly action: string
  readonly summary: string
  /** @returns `undefined` when there is no model of this uid */
  readonly answer: (registry: Registry, uid: string) => unknown
}

const routes: readonly DefinitionRoute[] = [
  {
    path: '/content-type-builder/content-types',
    action: `${owner}.content-types.getContentTypes`,
    summary: 'List the definitions of content-types',
    answer: ({ contentTypes }) => [...contentTypes.values()].map(contentTypeOf),
  },
  {
    path: '/content-type-builder/content-types/:uid',
    action: `${owner}.content-types.getContentType`,
    summary: 'Read the definition of a content-type',
    answer: ({ contentTypes }, uid) => optional(contentTypes.get(uid), contentTypeOf),
  },
  {
    path: '/content-type-builder/components',
    action: `${owner}.components.getComponents`,
    summary: 'List the definitions of components',
    answer: ({ components }) => [...components.values()].map(componentOf),
  },
  {
    path: '/content-type-builder/components/:uid',
    action: `${owner}.components.getComponent`,
    summary: 'Read the definition of a component',
    answer: ({ components }, uid) => optional(components.get(uid), componentOf),
  },
]

const optional = <M extends Model>(model: M | undefined, of: (model: M) => object): object | undefined =>
  model && of(model)

/** The actions of the routes. */
export const definitionActions = (): readonly ActionDeclaration[] =>
  routes.map(({ action }) => ({ name: action }))

/** `GET /content-type-builder/…`: the definitions, without private attributes. Each route needs a permission of its own. */
export function addDefinitionRoutes({ add }: Pick<Routes, 'add'>, registry: () => Registry): void {
  for (const { path, action, answer } of routes)
    add({
      method: 'GET',
      path,
      action,
      handler: (context) => {
        const data = answer(registry(), context.params.uid ?? '')
        if (data === undefined) throw problem('entry/not-found')
        context.type = 'application/json'
        context.body = JSON.stringify({ data })
      },
    })
}

/** Their descriptions. */
export const definitionOperations = (tag: string): Readonly<Record<string, ApiOperation>> =>
  Object.fromEntries(
    routes.map(({ path, action, summary }) => [
      `GET ${path}`,
      {
        id: action.slice(action.lastIndexOf('.') + 1),
        tag,
        summary,
        responses: { 200: { description: 'As Strapi 4 answers.', schema: answerOf(path.endsWith(':uid')) } },
      },
    ]),
  )

function answerOf(isOne: boolean): JsonSchema {
  const item: JsonSchema = {
    type: 'object',
    required: ['uid', 'schema'],
    additionalProperties: true,
    properties: { uid: { type: 'string' }, schema: { type: 'object', additionalProperties: true } },
  }
  return {
    type: 'object',
    required: ['data'],
    properties: { data: isOne ? item : { type: 'array', items: item } },
  }
}

function contentTypeOf(type: ContentType): object {
  const { uid, kind, singularName, pluralName, displayName, table, pluginOptions, options, definition } = type
  const plugin = /^plugin::([^.]+)\./.exec(uid)?.[1]
  return {
    uid,
    ...(plugin !== undefined && { plugin }),
    apiID: singularName,
    schema: {
      ...options,
      draftAndPublish: options.draftAndPublish === true,
      displayName,
      singularName,
      pluralName,
      description: definition.info.description ?? '',
      pluginOptions,
      kind,
      collectionName: table,
      attributes: attributesOf(type),
      visible: isVisible(type),
      restrictRelationsTo: null,
    },
  }
}

function componentOf(component: Component): object {
  const { uid, category, name, table, pluginOptions, definition } = component
  return {
    uid,
    category,
    apiId: name,
    schema: {
      displayName: definition.info?.displayName ?? name,
      description: definition.info?.description ?? '',
      icon: definition.info?.icon,
      collectionName: table,
      pluginOptions,
      attributes: attributesOf(component),
    },
  }
}

/** Files and users can be related to; roles, permissions and locales are internal. */
const isVisible = ({ uid, pluginOptions }: ContentType): boolean => {
  const builder = pluginOptions['content-type-builder']
  if (isObject(builder) && builder.visible === false) return false
  return uid.startsWith('api::') || uid === 'plugin::users-permissions.user'
}

const attributesOf = (model: Model): Readonly<Record<string, object>> =>
  Object.fromEntries(
    [...model.attributes.values()]
      .filter((attribute) => !attribute.private && !added.has(attribute.name))
      .map(({ name, definition }) => [name, attributeOf(definition)]),
  )

/** A relation names the attribute on its other side. */
const attributeOf = (definition: AttributeDefinition): object =>
  definition.type === 'relation'
    ? { ...definition, targetAttribute: definition.inversedBy ?? definition.mappedBy ?? null }
    : definition
