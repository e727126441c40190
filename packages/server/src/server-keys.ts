import { type KeysOf, octavoKeys } from '@octavo/core/internal'
import type { ServerOptions } from './server-options.ts'

const { rest: _, hooks: __, trace: ___, command: ____, ...own } = octavoKeys

/**
 * The options of `createServer`, and the further keys of `{ ...loadContentTypes(dir) }`. A new option without a row does
 * not compile.
 */
export const serverKeys = {
  ...own,
  api: { rest: { prefix: true, ...octavoKeys.rest, bulk: { items: true, time: true } } },
  access: true,
  cors: { origins: true, credentials: true },
  cache: { tags: true },
  log: { queries: true, format: true },
  metrics: true,
  serverTiming: true,
  body: { bodySize: true, fields: true, skippedFiles: true },
  response: { idle: true, unsent: true },
  middleware: true,
  rateLimit: true,
  processes: true,
  proxies: true,
  busyRound: true,
  drain: true,
  grace: true,
} as const satisfies KeysOf<ServerOptions> & Record<'sources' | 'extensions', true>
