/** The public surface of @octavo/server. */

import '@octavo/core/engine'

export type { Access } from './access.ts'
export type { Action } from './action.ts'
export type { Fields, Received, ReceivedFile } from './body.ts'
export type { BodyLimits, FileLimits } from './body-limits.ts'
export type { CacheOptions } from './caching.ts'
export { type CheckedServer, checkServer } from './check-server.ts'
export type { ContextOctavo } from './context-octavo.ts'
export { createServer, type Server } from './create-server.ts'
export type {
  ApiBody,
  ApiDescription,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  ApiSchemas,
  JsonSchema,
} from './describe.ts'
export type { Endpoint, Method } from './endpoints.ts'
export { envelope } from './envelope.ts'
export { type AcceptedFiles, type FileReceiver, serverHooks } from './hooks.ts'
export type { InnerAnswer, InnerRequest } from './inner-request.ts'
export { type Listening, reservePort } from './listen.ts'
export type { ReservedPort } from './listening-sockets.ts'
export { createLogger, defaultLogFormat, type LogFormat } from './logger.ts'
export type { CorsOptions } from './middleware.ts'
export { networkOf } from './network.ts'
export { admitOperator, isOperator, operatorToken } from './operator.ts'
export type { ActionMiddleware, MiddlewareChain, MiddlewarePosition } from './plugin-middleware.ts'
export { problem as serverProblem } from './problems.ts'
export type { RouteContext } from './route-context.ts'
export type { Route, RouteHandler, Routes } from './routes.ts'
export { serverKeys } from './server-keys.ts'
export { octavoOptions, type ServerOptions } from './server-options.ts'
export type { ResponseLimits } from './unsent.ts'
