import { type KnownKeys, octavoKeys } from '@octavo/core'

const { rest: _, hooks: __, ...own } = octavoKeys

/** The options of `createServer`. */
export const serverKeys: KnownKeys = {
  ...own,
  api: { rest: { prefix: true, ...octavoKeys.rest, bulk: { items: true, time: true } } },
  access: true,
  cors: { origins: true, credentials: true },
  cache: { tags: true },
  log: true,
  metrics: true,
  body: { bodySize: true, fields: true, skippedFiles: true },
  response: true,
  middleware: true,
  rateLimit: true,
  processes: true,
  proxies: true,
  drain: true,
  grace: true,
}
