import { createHash } from 'node:crypto'
import { type Store, sql } from '@octavo/core'
import type { Bindable } from '@octavo/core/plugin'
import { networkOf, type RouteContext, type Routes } from '@octavo/server'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Settings } from '../options.ts'
import { problem } from '../problems.ts'
import type { Tables } from '../tables.ts'

/**
 * Limits the attempts on the routes without a session: by address and route, and by account and route, as in users-permissions. A
 * caller cannot vary these keys at will: the address is that of the connection, the account is the folded email address, whether or
 * not there is such a person.
 */
export class Limits {
  readonly #limiter: Pick<RateLimiterMemory, 'consume'> | undefined

  constructor(
    { points, duration }: Settings,
    { rateLimit, processes }: Pick<Routes, 'rateLimit' | 'processes'>,
    store: Store,
    tables: Tables,
  ) {
    const bound = { points, duration }
    if (!rateLimit) return
    this.#limiter =
      processes === 1
        ? new RateLimiterMemory(bound)
        : new RateLimiterPostgres({
            ...bound,
            storeClient: asClient(store),
            storeType: 'pool',
            tableName: tables.attempts.table,
            tableCreated: true,
          })
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  address(context: RouteContext, route: string): Promise<void> {
    return this.#consume(`address:${route}:${networkOf(context.ip)}`, context)
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  account(context: RouteContext, route: string, account: string): Promise<void> {
    const key = createHash('sha256').update(account).digest('base64url')
    return this.#consume(`account:${route}:${key}`, context)
  }

  async #consume(key: string, context: RouteContext): Promise<void> {
    try {
      await this.#limiter?.consume(key)
    } catch (refused) {
      if (refused instanceof Error) throw refused
      const { msBeforeNext } = refused as { readonly msBeforeNext: number } // a result of the library
      context.set('Retry-After', String(Math.ceil(msBeforeNext / 1000)))
      throw problem('desk/too-many-attempts')
    }
  }
}

/** Runs the limiter's own statements, whose rows have `points` and `expire`. */
const asClient = (store: Store) => ({
  query: async ({ text, values = [] }: { text: string; values?: readonly Bindable[] }) => {
    // Every second part is a parameter's number.
    const parts = text
      .split(/\$(\d+)/)
      .map((part, i) => (i % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1] ?? null}`))
    const rows = await store.run(sql.join(parts, sql.raw('')))
    return {
      rows: rows.map(({ points, expire }) => ({
        points: Number(points),
        expire: expire == null ? null : Number(expire),
      })),
      rowCount: rows.length,
    }
  },
})
