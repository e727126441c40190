import type { RequestState } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import type { RouteContext } from '@octavo/server'
import type { Body } from './input.ts'

/** The caller of a request, as the server stored it in the context. */
export const stateOf = (context: RouteContext): RequestState => context.state.octavo as RequestState

/** The fields of the body; none for a list. The server parsed them; koa-body's type of `request.body` is not visible here. */
export function bodyOf(context: RouteContext): Body {
  const { body } = context.request as unknown as { readonly body?: Body | readonly unknown[] }
  return isObject(body) ? body : {}
}

export function send(context: RouteContext, body: unknown, status = 200): void {
  context.status = status
  context.type = 'application/json'
  context.body = JSON.stringify(body)
}
