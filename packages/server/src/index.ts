/** The public surface of @octavo/server. */

export type { BodyLimits, Fields, FileLimits, Received, ReceivedFile } from './body.ts'
export type { CacheOptions } from './caching.ts'
export { createServer, octavoOptions, type Server, type ServerOptions } from './create-server.ts'
export { envelope } from './envelope.ts'
export { type Action, type FileTaker, serverHooks, type TakenFiles } from './hooks.ts'
export type { Listening } from './listen.ts'
export type { CorsOptions } from './middleware.ts'
export type { Method, Route, RouteContext, RouteHandler, Routes } from './routes.ts'
