import { ConfigurationError, type OctavoOptions } from '@octavo/core'
import type { Middleware } from 'koa'
import type { Access } from './access.ts'
import type { LogOptions } from './answers.ts'
import type { BodyLimits } from './body.ts'
import type { BulkLimits } from './bulk.ts'
import type { CacheOptions } from './caching.ts'
import { serverHooks } from './hooks.ts'
import type { CorsOptions } from './middleware.ts'
import type { ResponseLimits } from './unsent.ts'

export interface ServerOptions extends Omit<OctavoOptions, 'rest' | 'hooks'> {
  readonly api?: {
    readonly rest?: {
      /** Where the content endpoints are; `/` for the root. Default `/api`. */
      readonly prefix?: string
      /** Entries of a page when none is asked. Default 25. */
      readonly defaultLimit?: number
      /** The most entries that one page may have. Default 100. */
      readonly maxLimit?: number
      /** Whether totals come along when not asked otherwise. Default true. */
      readonly withCount?: boolean
      /** Totals above this are PostgreSQL's estimate, and marked `estimated`. Default: all are counted. */
      readonly estimateCountAbove?: number
      /** Adds `POST /:plural/actions/bulk`, with bounds of your own or the default ones. Default false. */
      readonly bulk?: boolean | Partial<BulkLimits>
    }
  }
  /**
   * What everybody may do where no plugin authorizes requests: `read`, or with `open` also write. A plugin that authorizes
   * decides alone. Default `read`.
   */
  readonly access?: Access
  readonly cors?: CorsOptions
  /** What caches learn of answers, besides `options.cacheControl` of a content-type. */
  readonly cache?: CacheOptions
  /** What is logged of requests, and how. A `logger` of your own may be pino or any object with its methods. */
  readonly log?: LogOptions
  /** Adds `GET /_metrics` for Prometheus. It answers everybody: let the proxy keep it inside. Default false. */
  readonly metrics?: boolean
  readonly body?: Partial<BodyLimits>
  readonly response?: Partial<ResponseLimits>
  /** Koa middleware that runs before routing. What it throws is answered like any error. Default none. */
  readonly middleware?: readonly Middleware[]
  /** `false` turns off what plugins do to limit the rate of requests: for tests. Default true. */
  readonly rateLimit?: boolean
  /** How many processes serve the same database, this one included: what is counted in memory is then counted there. Default 1. */
  readonly processes?: number
  /** How many proxies stand before the server and set `X-Forwarded-For`. Default 0: the header is not believed. */
  readonly proxies?: number
  /** Time in which a closing server still takes requests, for balancers to notice, in milliseconds. Default 0. */
  readonly drain?: number
  /** Time that requests in flight have to end when the server closes, in milliseconds. Default 10,000. */
  readonly grace?: number
}

/** Attribute types that come with our own plugins: left out with a warning that names the plugin where it is absent. */
const knownTypes = { media: '@octavo/plugin-upload' }

/** The options of `createOctavo` for a server of these options; for programs that want the content without HTTP. */
export function octavoOptions({ api, ...options }: ServerOptions): OctavoOptions {
  const { prefix: _, bulk: __, ...rest } = api?.rest ?? {}
  return { ...options, rest, hooks: serverHooks, absentTypes: { ...knownTypes, ...options.absentTypes } }
}

/** @returns the prefix without a slash at the end; empty for the root. @throws ConfigurationError */
export function readPrefix(prefix = '/api'): string {
  if (/^(?:\/[\w.~-]+)*\/?$/.test(prefix)) return prefix.replace(/\/$/, '')
  throw new ConfigurationError(`api.rest.prefix must be a path such as /api, not "${prefix}"`)
}
