import { type CommonOctavoOptions, ConfigurationError, type Logger, type OctavoOptions } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import type { Middleware } from 'koa'
import type { LogOptions } from './answer/answers.ts'
import type { CacheOptions } from './answer/caching.ts'
import type { CorsOptions } from './answer/middleware.ts'
import type { BulkLimits } from './content/bulk.ts'
import { serverHooks } from './plugin/hooks.ts'
import type { Access } from './request/access.ts'
import type { BodyLimits } from './request/body-limits.ts'
import type { ResponseLimits } from './socket/unsent.ts'

/** The options that `createServer` and the command line have in common. */
export interface CommonServerOptions extends CommonOctavoOptions {
  /** The endpoints of content-types. */
  readonly api?: {
    readonly rest?: {
      /** Path prefix of the content endpoints; `/` for the root. Default `/api`. */
      readonly prefix?: string
      /** Entries of a page, if a request gives no number. Default 25. */
      readonly defaultLimit?: number
      /** Entries of a page, at most. Default 100. */
      readonly maxLimit?: number
      /** The default of `pagination[withCount]`. Default true. */
      readonly withCount?: boolean
      /** Totals above this are PostgreSQL's estimate, and marked `estimated`. Default: all are counted. */
      readonly estimateCountAbove?: number
      /** Adds `POST /:plural/actions/bulk`, with bounds of your own or the default ones. Default false. */
      readonly bulk?: boolean | Partial<BulkLimits>
    }
  }
  /**
   * Access without a plugin that authorizes requests: `read`, or `open`, which allows writes as well. Ignored with such a
   * plugin. Default `read`.
   */
  readonly access?: Access
  /** Pages of other origins that may send requests. Default: all, without cookies. */
  readonly cors?: CorsOptions
  /** Cache tags of answers; `Cache-Control` is `options.cacheControl` of a content-type. */
  readonly cache?: CacheOptions
  /** The contents and format of the request log. `logger` may be pino or any object with its methods. */
  readonly log?: LogOptions
  /** Adds `GET /_metrics` for Prometheus. It is open to everybody, so a proxy should block it. Default false. */
  readonly metrics?: boolean
  /**
   * Whether responses have the times of their steps in the header `Server-Timing`, which the developer tools of browsers show.
   * Default false; `octavo start` sets it outside of production.
   */
  readonly serverTiming?: boolean
  /** The limits of the body of a request. */
  readonly body?: Partial<BodyLimits>
  /** The limits of answers that their clients are slow to read. */
  readonly response?: Partial<ResponseLimits>
  /** Koa middleware that runs before routing. Its errors are handled like all others. Default none. */
  readonly middleware?: readonly Middleware[]
  /** `false` turns off the rate limits of plugins, for tests. Default true. */
  readonly rateLimit?: boolean
  /** Number of processes that serve the same database, including this one. Above 1, rate limits are counted in the database. Default 1. */
  readonly processes?: number
  /** Number of proxies in front of the server that set `X-Forwarded-For`. Default 0: the header is ignored. */
  readonly proxies?: number
  /**
   * Milliseconds from which a round of the event loop is long. After several long rounds and no pause for a quarter of a second, each round takes in requests
   * for two fifths as long, and its further ones are a 503 `server/overloaded`. Default `Infinity`, never; `octavo start` has 10.
   */
  readonly busyRound?: number
  /** Time for which a closing server still accepts requests while balancers notice, in milliseconds. Default 0. */
  readonly drain?: number
  /** Time for requests in flight when the server closes, in milliseconds. Default 10,000. */
  readonly grace?: number
}

/** The options of `createServer`. */
export interface ServerOptions extends CommonServerOptions {
  /** The plugins. `before`, `after` and `requires` of a plugin decide the order, then the list. Default none. */
  readonly plugins?: readonly Plugin[]
  /** pino, or any object with the methods `debug`, `info`, `warn`, `error` and `child`. Default: one that writes to the standard error. */
  readonly logger?: Logger
}

/** Strapi 4's attribute types that plugins provide. Without one, such attributes are left out, with a warning. */
const typesOfPlugins = { media: 'a plugin that stores files' }

/** The options of `createOctavo` for these server options, for programs that use the content without HTTP. */
export function octavoOptions({ api, ...options }: ServerOptions): OctavoOptions {
  const { prefix: _, bulk: __, ...rest } = api?.rest ?? {}
  return { ...options, rest, hooks: serverHooks, absentTypes: { ...typesOfPlugins, ...options.absentTypes } }
}

/** @returns the prefix without a slash at the end; empty for the root. @throws ConfigurationError */
export function readPrefix(prefix = '/api'): string {
  if (/^(?:\/[\w.~-]+)*\/?$/.test(prefix)) return prefix.replace(/\/$/, '')
  throw new ConfigurationError(`api.rest.prefix must be a path such as /api, not "${prefix}"`)
}
