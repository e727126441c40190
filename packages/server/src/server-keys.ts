import { accepts, type KeysOf, octavoKeys } from '@octavo/core/internal'
import type { ServerOptions } from './server-options.ts'

const { rest: _, hooks: __, trace: ___, command: ____, ...own } = octavoKeys

/**
 * The options of `createServer`, and the further keys of `{ ...loadContentTypes(dir) }`. A new option without a row does
 * not compile.
 */
export const serverKeys = {
  ...own,
  api: {
    rest: {
      prefix: accepts.text('/api'),
      ...octavoKeys.rest,
      bulk: accepts.orObject(accepts.flag, { items: accepts.wholeNumber(1), time: accepts.wholeNumber(1) }),
    },
  },
  access: accepts.oneOf('read', 'open'),
  cors: {
    origins: accepts.either(accepts.oneOf('*'), accepts.texts('https://www.example.org')),
    credentials: accepts.flag,
  },
  cache: { tags: accepts.oneOf('Surrogate-Key', 'Cache-Tag') },
  log: { queries: accepts.flag, format: accepts.oneOf('pretty', 'json') },
  metrics: accepts.flag,
  serverTiming: accepts.flag,
  body: {
    bodySize: accepts.size,
    fields: accepts.wholeNumber(1),
    skippedFiles: accepts.wholeNumber(0),
  },
  response: { idle: accepts.wholeNumber(1), unsent: accepts.size },
  middleware: accepts.functions,
  rateLimit: accepts.flag,
  processes: accepts.wholeNumber(1),
  proxies: accepts.wholeNumber(0),
  busyRound: accepts.bound,
  drain: accepts.wholeNumber(0),
  grace: accepts.wholeNumber(0),
} as const satisfies KeysOf<ServerOptions> & Record<'sources' | 'extensions', true>
