import type { RequestState } from '@octavo/core'
import type { UsersPermissionsOptions } from './options.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Service } from './service.ts'

/** The dependencies of a route's handler. */
export interface Tools {
  readonly service: Service
  readonly options: UsersPermissionsOptions
  readonly limit: RateLimit
  /** The request state for writes that a route has checked. */
  readonly ownState: RequestState
  /** The prefix of the endpoints: `/api`. */
  readonly prefix: string
  /** All actions that routes require. */
  readonly actions: () => readonly string[]
}
