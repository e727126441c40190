import type { RouterContext } from '@koa/router'
import type { RequestState } from '@octavo/core'
import type { DefaultContext } from 'koa'
import type { ContextOctavo } from './context-octavo.ts'

/**
 * The context of a route's handler: Koa's context with `params`, the state of the request in `state.octavo`, and answers of content
 * endpoints in `octavo`. With `body: 'fields'` of the route, `request.body` has the fields of the body, or its list, whose values are unchecked.
 */
export type RouteContext = RouterContext<
  {
    octavo: RequestState
    readonly requestId: string
    /** Set by a handler that has only read for a POST: its answer has no position of a write, for replicas. Default false. */
    onlyReads?: boolean
  },
  DefaultContext & { readonly octavo: ContextOctavo }
> & { readonly request: { body?: Readonly<Record<string, unknown>> } }
