import type { RequestState } from '@octavo/core'
import type { RouteContext } from '@octavo/server'
import type { Body } from './input.ts'

/** Who asks, as the server put it there. */
export const stateOf = (context: RouteContext): RequestState => context.state.octavo as RequestState

/** The server read it as fields; koa-body's declaration of it is not ours to see. */
export const bodyOf = (context: RouteContext): Body =>
  (context.request as unknown as { readonly body?: Body }).body ?? {}

export function send(context: RouteContext, body: unknown, status = 200): void {
  context.status = status
  context.type = 'application/json'
  context.body = JSON.stringify(body)
}
