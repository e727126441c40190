import type { Repeatable, RequestState } from '@octavo/core'
import type { RouteContext } from '@octavo/server'
import type { AttemptLimits } from '@octavo/server/attempts'
import type { UsersPermissionsOptions } from './options.ts'
import type { Service } from './service.ts'

/** The dependencies of a route's handler. */
export interface Tools {
  readonly service: Service
  readonly options: UsersPermissionsOptions
  readonly limit: AttemptLimits
  /** The request state for writes that a route has checked. */
  readonly ownState: RequestState
  /** The prefix of the endpoints: `/api`. */
  readonly prefix: string
  /** As {@link Routes.repeatable} of the server: the content has no secrets. */
  readonly repeatable: (context: RouteContext, content: unknown) => Repeatable | undefined
  /** All actions that routes require. */
  readonly actions: () => readonly string[]
}
