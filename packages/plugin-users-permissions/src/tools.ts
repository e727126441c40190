import type { RequestState } from '@octavo/core'
import type { RateLimit } from './auth/rate-limit.ts'
import type { UsersPermissionsOptions } from './options.ts'
import type { Service } from './service.ts'

/** What a route's handler has at hand. */
export interface Tools {
  readonly service: Service
  readonly options: UsersPermissionsOptions
  readonly limit: RateLimit
  /** Writes what a route has checked. */
  readonly asItself: RequestState
  /** Where the endpoints are: `/api`. */
  readonly prefix: string
  /** Every action that some route asks for. */
  readonly actions: () => readonly string[]
}
