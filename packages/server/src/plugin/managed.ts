import type { Method } from '../request/endpoints.ts'
import type { ApiOperation } from './describe.ts'
import type { RouteContext } from './route-context.ts'

/** The rights of people who manage a server, beside those on content. */
export const managedRights = ['tokens', 'webhooks', 'settings'] as const
export type ManagedRight = (typeof managedRights)[number]

/** A request of a person who has the right of its route. */
export interface ManagedRequest {
  readonly context: RouteContext
  /** The fields of the body; empty without one. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The person, as in `createdByCaller`: `editor 2`. */
  readonly caller: string
  /**
   * Whether the person may do these actions without limits, so that it may give them to others.
   * @param actions Names as in permissions, `api::article.article.find`; `everything` for all, now and later.
   */
  owns(actions: readonly string[] | 'everything'): boolean
  /** @throws OctavoError 403 that names what is missing, where {@link owns} is false. */
  requireOwn(actions: readonly string[] | 'everything'): void
}

/** A route for people who manage the server. */
export interface ManagedRoute {
  readonly method: Method
  /** Below the path of these routes: `/webhooks/:id` is `/desk/api/webhooks/:id` with plugin-editors. */
  readonly path: string
  readonly right: ManagedRight
  /** The description for OpenAPI. The first status of its responses is that of the answer. */
  readonly operation: Omit<ApiOperation, 'security' | 'tag'>
  /** @returns the body of the answer. @throws OctavoError */
  readonly handler: (request: ManagedRequest) => object | Promise<object>
}

/** Registers routes for people who manage the server. */
export interface ManagedRoutes {
  add(route: ManagedRoute): void
}
