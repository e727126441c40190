import type { Repeatable, RequestState } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import type { RequestRead } from '../answer/read-answer.ts'
import type { Received } from '../request/body.ts'
import type { FileLimits } from '../request/body-limits.ts'
import type { Endpoint, Method } from '../request/endpoints.ts'
import type { Action } from './action.ts'
import type { InnerAnswer, InnerRequest } from './inner-request.ts'
import type { RouteContext } from './route-context.ts'

export type RouteHandler = (context: RouteContext) => void | Promise<void>

/** A route of a plugin. */
export interface Route {
  /** In capitals: `GET`. */
  readonly method: Method
  /**
   * The path below the prefix, as @koa/router writes it: `/users/:id`. With `root` it is the whole path: `/uploads/:name`. Of two routes that
   * match a path, the more exact one answers: `/users/me` before `/users/:id`, also when another plugin has it.
   */
  readonly path: string
  /** Whether the path is outside of the prefix. Default false. */
  readonly root?: boolean
  /** The action that `server:authorize` checks, declared with `host.actions`. Default: no check. */
  readonly action?: string
  /**
   * The way in which the body is read before the handler runs, into `context.request.body`: `fields` (JSON, form, or multipart without files)
   * or not at all. A list in JSON stays one; without a body there are no fields. Default `none`.
   */
  readonly body?: 'fields' | 'none'
  /**
   * Whether the route may take the place of an endpoint of a content-type, such as `GET /articles`. Default false: a
   * content-type whose endpoints the route answers stops the start.
   */
  readonly replaces?: boolean
  readonly handler: RouteHandler
}

/** Registers the routes of a plugin. */
export interface Routes {
  /** The prefix of the content endpoints, e.g. `/api`; empty for the root. */
  readonly prefix: string
  /** False when rate limits are turned off, for tests. */
  readonly rateLimit: boolean
  /** Number of processes that serve the same database, including this one. */
  readonly processes: number
  /** Registers a route. @throws PluginError for one that another plugin has */
  add(route: Route): void
  /** Registers routes for every content-type, including types that are added while running. */
  forEachType(register: (type: ContentType) => void): void
  /** Reads a body with its files, for a handler whose route has `body: 'none'`. @throws OctavoError; no file stays on the disk then. */
  receive(context: RouteContext, limits: FileLimits): Promise<Received>
  /**
   * The key of a request that its client may repeat, for `octavo.once`; `undefined` without an `Idempotency-Key`. The answer repeats the
   * header.
   *
   * @param content The content of the request: another content is refused with the same key. Its hash is stored, so it has no secrets.
   * @throws OctavoError 400 `request/bad-idempotency-key`
   */
  repeatable(context: RouteContext, content: unknown): Repeatable | undefined
  /** The actions of all plugins' routes, once all are registered. */
  actions(): readonly string[]
  /** All endpoints of the server, once all routes are registered. */
  endpoints(): readonly Endpoint[]
  /** Whether the caller of a request may use an endpoint. */
  permits(endpoint: Endpoint, state: RequestState): Promise<boolean>
  /**
   * The parts of reads that belong to a request: they end when its client has gone, take the room of its answer, and follow the
   * position of its session on replicas. For all reads of a request together.
   */
  readOf(context: RouteContext): RequestRead
  /**
   * Makes a request of a plugin's route within a request: the route authenticates and authorizes the caller and runs its handler
   * with other parameters. The answer is returned and not sent.
   *
   * @throws OctavoError as the route does; NotFoundError without such a route
   */
  perform(context: RouteContext, request: InnerRequest): Promise<InnerAnswer>
  /**
   * Answers a request as the endpoint of another path does, with its query, body and headers: the content endpoint, or the route of a
   * plugin. The caller is what `server:authenticate` finds.
   *
   * @param path Below the prefix: `/articles/7`.
   * @throws OctavoError as the endpoint does; NotFoundError without one
   */
  forward(context: RouteContext, path: string): Promise<void>
  /**
   * Runs an action of a request that carries out several, inside of the middleware of plugins around actions. The middleware sees the
   * request of REST for it.
   *
   * @param request Makes the request of REST, with the state of the caller, who may do the action. Called only where there is such middleware.
   * @returns the result of the action; `undefined` if a middleware prevented it, which does not call `next` then.
   */
  around<T>(
    context: RouteContext,
    request: () => InnerRequest & { readonly state: RequestState },
    action: Action,
    run: () => Promise<T>,
  ): Promise<T | undefined>
}

/** The parts of {@link Routes} that are the same for all plugins. */
export type SharedRoutes = Pick<
  Routes,
  'prefix' | 'rateLimit' | 'processes' | 'receive' | 'permits' | 'readOf' | 'forward'
>
