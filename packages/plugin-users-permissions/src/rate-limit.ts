import { RateLimitError, type Store } from '@octavo/core'
import type { RouteContext, Routes } from '@octavo/server'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { UsersPermissionsOptions } from './options.ts'

/**
 * Bounds how often the routes of authentication may be tried. One bound is for an address on a route, another for an
 * account, whoever tries. Neither key has anything in it that a caller can vary at will: the route is the one that
 * matched, not the path as written; the address is the connection's; the account is the user that was found or, when
 * there is none, the name in lower case without spaces around it.
 */
export class RateLimit {
  readonly #limiter: RateLimiterMemory | RateLimiterPostgres | undefined

  private constructor(limiter: RateLimiterMemory | RateLimiterPostgres | undefined) {
    this.#limiter = limiter
  }

  static async open(
    options: UsersPermissionsOptions['rateLimit'],
    { rateLimit, processes }: Pick<Routes, 'rateLimit' | 'processes'>,
    store: Store,
  ): Promise<RateLimit> {
    if (!rateLimit) return new RateLimit(undefined)
    const { points = 5, duration = 60, store: kind = processes > 1 ? 'database' : 'memory' } = options ?? {}
    if (kind === 'memory') return new RateLimit(new RateLimiterMemory({ points, duration }))
    await store.query(
      `create table if not exists "${table}" ("key" varchar(255) primary key, "points" integer not null default 0, "expire" bigint)`,
    )
    const limiter = new RateLimiterPostgres({
      storeClient: asClient(store),
      storeType: 'pool',
      tableName: table,
      tableCreated: true,
      points,
      duration,
    })
    return new RateLimit(limiter)
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  async address(context: RouteContext, route: string): Promise<void> {
    await this.#consume(`address:${route}:${context.ip}`, context)
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  async account(context: RouteContext, route: string, account: string | number): Promise<void> {
    const key = typeof account === 'number' ? account : account.trim().toLowerCase().slice(0, 200)
    await this.#consume(`account:${route}:${key}`, context)
  }

  async #consume(key: string, context: RouteContext): Promise<void> {
    try {
      await this.#limiter?.consume(key)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      context.set('Retry-After', String(Math.ceil(refused.msBeforeNext / 1000)))
      throw new RateLimitError('auth/too-many-attempts', 'Too many requests, please try again later.')
    }
  }
}

const table = 'octavo_rate_limits'

/** The limiter's own statements, run by our store, whose rows are lists. They answer with `points` and `expire`. */
const asClient = (store: Store) => ({
  query: async ({ text, values }: { text: string; values?: readonly (string | number)[] }) => {
    const rows = await store.query(text, values ?? [])
    return {
      rows: rows.map(([points, expire]) => ({
        points: Number(points),
        expire: expire == null ? null : Number(expire),
      })),
      rowCount: rows.length,
    }
  },
})
