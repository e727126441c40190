import type { IncomingHttpHeaders } from 'node:http'
import type { RequestState } from '@octavo/core'
import type { Fields, Received } from '../request/body.ts'
import type { Method } from '../request/endpoints.ts'
import type { RouteContext } from './route-context.ts'

/** A request of a plugin to a route, within a request that it answers. */
export interface InnerRequest {
  readonly method: Method
  /** Below the prefix: `/auth/local`. */
  readonly path: string
  /** The query string. Default: empty. */
  readonly query?: string
  /** The body, as if it had been parsed. Default: empty. */
  readonly body?: Fields
  /** The fields and files that `routes.receive` returns to the handler, in place of a body. Default: none. */
  readonly received?: Received
  /** Whether it is made without the `Authorization` of the outer request, as by everybody. Default false. */
  readonly anonymous?: boolean
}

const receivedBy = new WeakMap<object, Received>()

/** The fields and files of an inner request; `undefined` for a request of a client. */
export const receivedOf = (context: RouteContext): Received | undefined => receivedBy.get(context)

export interface InnerAnswer {
  readonly status: number
  /** As the handler set it; most handlers of accounts set JSON text. */
  readonly body: unknown
}

/**
 * The context of an inner request: that of the outer one with other parameters. Its answer stays in it; headers that the
 * handler sets are those of the outer answer.
 */
export function innerContext(
  outer: RouteContext,
  { method, query = '', body = {}, received, anonymous = false }: InnerRequest,
  path: string,
  params: Readonly<Record<string, string>>,
): RouteContext {
  const fixed = {
    method,
    path,
    querystring: query,
    query: Object.fromEntries(new URLSearchParams(query)),
    // The body is there, parsed.
    ...(received === undefined && { is: () => false }),
    ...(anonymous && { req: Object.create(outer.req, values({ headers: unauthorized(outer.req.headers) })) }),
  }
  const request = Object.create(outer.request, values({ ...fixed, body }))
  const inner = Object.create(
    outer,
    values({
      ...fixed,
      request,
      params,
      state: { ...outer.state, octavo: undefined as unknown as RequestState }, // the middleware sets it
      status: 404,
      type: '',
      body: undefined,
      redirect: () => {},
    }),
  ) as RouteContext
  // Its files are the request's own, which removes them.
  if (received) receivedBy.set(inner, { ...received, discard: async () => {} })
  return inner
}

const unauthorized = ({ authorization: _, ...others }: IncomingHttpHeaders): IncomingHttpHeaders => others

/** Own properties, which may be set without changing those of the prototype. */
const values = (given: Readonly<Record<string, unknown>>): PropertyDescriptorMap =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, { value, writable: true, enumerable: true }]),
  )
