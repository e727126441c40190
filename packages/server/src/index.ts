/** The public surface of @octavo/server. */

import '@octavo/core/engine'

export type { CacheOptions } from './answer/caching.ts'
export { envelope } from './answer/envelope.ts'
export { etagOf, ifMatch, type VersionCheck } from './answer/etag.ts'
export type { CorsOptions } from './answer/middleware.ts'
export type { RequestRead } from './answer/read-answer.ts'
export { type CheckedServer, checkServer } from './check-server.ts'
export { createServer, type Server, unstartedServer } from './create-server.ts'
export { problem as serverProblem } from './error/problems.ts'
export { createLogger, defaultLogFormat, type LogFormat } from './operation/logger.ts'
export { admitOperator, isOperator, operatorToken } from './operation/operator.ts'
export type { Action } from './plugin/action.ts'
export type { ContextOctavo } from './plugin/context-octavo.ts'
export type {
  ApiBody,
  ApiDescription,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  ApiSchemas,
  JsonSchema,
} from './plugin/describe.ts'
export type { DeskParts } from './plugin/desk.ts'
export type { GraphqlExtension, GraphqlSchemaParts, Resolver, ResolverContext } from './plugin/graphql.ts'
export { type AcceptedFiles, type FileReceiver, serverHooks } from './plugin/hooks.ts'
export type { InnerAnswer, InnerRequest } from './plugin/inner-request.ts'
export {
  type ManagedRequest,
  type ManagedRight,
  type ManagedRoute,
  type ManagedRoutes,
  managedRights,
} from './plugin/managed.ts'
export type { ActionMiddleware, MiddlewareChain, MiddlewarePosition } from './plugin/plugin-middleware.ts'
export type { RouteContext } from './plugin/route-context.ts'
export type { Route, RouteHandler, Routes } from './plugin/routes.ts'
export type { Access } from './request/access.ts'
export type { Fields, Received, ReceivedFile } from './request/body.ts'
export type { BodyLimits, FileLimits } from './request/body-limits.ts'
export type { Endpoint, Method } from './request/endpoints.ts'
export { serverKeys } from './server-keys.ts'
export { type CommonServerOptions, octavoOptions, type ServerOptions } from './server-options.ts'
export { type Listening, reservePort } from './socket/listen.ts'
export type { ReservedPort } from './socket/listening-sockets.ts'
export { isFromThisMachine, isLocalRequest, isSameSite } from './socket/local-request.ts'
export { networkOf } from './socket/network.ts'
export type { ResponseLimits } from './socket/unsent.ts'
