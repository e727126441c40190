import { contentActionsOf, writeActions } from '@octavo/core/internal'
import type { ContentAction, ContentType, Registry } from '@octavo/core/plugin'

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

/** An endpoint of a content-type, without the prefix. */
export interface ContentRoute {
  readonly method: Method
  readonly route: string
  readonly action: ContentAction | 'bulk'
}

/** The endpoints of a content-type; none for types that only plugins serve. */
export function contentRoutes(type: ContentType, hasBulk: boolean): readonly ContentRoute[] {
  if (!type.uid.startsWith('api::')) return []
  const isSingle = type.kind === 'singleType'
  const root = `/${isSingle ? type.singularName : type.pluralName}`
  const routes = contentActionsOf(type).map((action): ContentRoute => {
    const isAtRoot = isSingle || action === 'find' || action === 'create'
    return { method: methods[action], route: isAtRoot ? root : `${root}/:id`, action }
  })
  return hasBulk ? [...routes, { method: 'POST', route: `${root}/actions/bulk`, action: 'bulk' }] : routes
}

/** The endpoints of all content-types, by type. */
export const contentEndpoints = (registry: Registry, prefix: string, hasBulk: boolean): readonly Endpoint[] =>
  [...registry.contentTypes.values()].flatMap((type) =>
    contentRoutes(type, hasBulk).map(({ method, route, action }) => ({
      method,
      path: `${prefix}${route}`,
      route,
      root: false,
      actions: (action === 'bulk' ? writeActions : [action]).map((name) => `${type.uid}.${name}`),
      plugin: undefined,
      content: { type, action },
    })),
  )

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
