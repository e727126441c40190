import {
  type ContentAction,
  type ContentType,
  contentActionsOf,
  type Registry,
  writeActions,
} from '@octavo/core'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An endpoint of the server: of a content-type, of a plugin, or of the server itself. */
export interface Endpoint {
  readonly method: Method
  /** The whole path, with the prefix: `/api/articles/:id`. */
  readonly path: string
  /** The path as in `routes.add`, without the prefix. */
  readonly route: string
  /** Whether the route is outside of the prefix: a page or a file, unless its plugin describes it. */
  readonly root: boolean
  /** The actions of which the caller needs one; empty: no permission is needed. */
  readonly actions: readonly string[]
  /** The plugin of the route; `undefined` for content-types and the server itself. */
  readonly plugin: string | undefined
  /** For the endpoints of a content-type. */
  readonly content?: { readonly type: ContentType; readonly action: ContentAction | 'bulk' }
}

const methods = {
  find: 'GET',
  findOne: 'GET',
  create: 'POST',
  update: 'PUT',
  delete: 'DELETE',
} as const satisfies Record<ContentAction, Method>

/** The endpoints of all content-types, by type. */
export const contentEndpoints = (registry: Registry, prefix: string, bulk: boolean): readonly Endpoint[] =>
  [...registry.contentTypes.values()]
    .filter(({ uid }) => uid.startsWith('api::'))
    .flatMap((type) => [
      ...contentActionsOf(type).map((action) => contentEndpoint(type, action, prefix)),
      ...(bulk ? [bulkEndpoint(type, prefix)] : []),
    ])

function contentEndpoint(type: ContentType, action: ContentAction, prefix: string): Endpoint {
  const isCollection = action === 'find' || action === 'create'
  const route =
    type.kind === 'singleType' ? `/${type.singularName}` : `/${type.pluralName}${isCollection ? '' : '/:id'}`
  return {
    method: methods[action],
    path: `${prefix}${route}`,
    route,
    root: false,
    actions: [`${type.uid}.${action}`],
    plugin: undefined,
    content: { type, action },
  }
}

function bulkEndpoint(type: ContentType, prefix: string): Endpoint {
  const route = `/${type.kind === 'singleType' ? type.singularName : type.pluralName}/actions/bulk`
  return {
    method: 'POST',
    path: `${prefix}${route}`,
    route,
    root: false,
    actions: writeActions.map((action) => `${type.uid}.${action}`),
    plugin: undefined,
    content: { type, action: 'bulk' },
  }
}

/** The endpoints of the server itself. */
export const ownEndpoints = (hasMetrics: boolean): readonly Endpoint[] =>
  ['/_health', '/_health/live', '/_health/ready', ...(hasMetrics ? ['/_metrics'] : [])].map((path) => ({
    method: 'GET',
    path,
    route: path,
    root: true,
    actions: [],
    plugin: undefined,
  }))
