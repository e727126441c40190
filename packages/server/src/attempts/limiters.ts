import { type Store, sql } from '@octavo/core'
import type { Bindable } from '@octavo/core/plugin'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { AttemptTables } from './attempt-tables.ts'

/** The options of a limiter of `rate-limiter-flexible`. */
export interface AttemptLimiterOptions {
  /** The beginning of its keys. */
  readonly keyPrefix: string
  readonly points: number
  /** Seconds. */
  readonly duration: number
}

/** The methods of a limiter of `rate-limiter-flexible` that are used. */
export interface AttemptLimiter {
  /** Rejects above the limit with such a result, and with an Error when the store fails. */
  consume(key: string): Promise<AttemptResult>
  /** @param seconds The time for which the key is refused. */
  block(key: string, seconds: number): Promise<unknown>
  delete(key: string): Promise<unknown>
}

export interface AttemptResult {
  readonly consumedPoints: number
  readonly msBeforeNext: number
}

/** The place where attempts are counted; a function makes limiters of `rate-limiter-flexible`, for Redis and others. */
export type AttemptStore = 'memory' | 'database' | ((options: AttemptLimiterOptions) => AttemptLimiter)

export interface Limiters {
  readonly attempts: AttemptLimiter
  /** Counts how often the limit of an account was reached. */
  readonly penalties: AttemptLimiter
}

/** Period in which penalties are counted, in seconds. */
const penaltyMemory = 86_400
/** A number of points that is not reached, and that every store can count to. */
const mostPoints = 2_000_000_000

/** Opens the limiters of a store. */
export function openLimiters(
  kind: AttemptStore,
  bound: { readonly points: number; readonly duration: number },
  store: Store,
  tables: AttemptTables,
): Limiters {
  // No limit: penalties are only counted.
  const counted = { points: mostPoints, duration: penaltyMemory }
  if (kind === 'memory')
    return {
      attempts: new RateLimiterMemory(bound),
      penalties: new RateLimiterMemory({ ...counted, keyPrefix: 'penalty' }),
    }
  if (typeof kind === 'function')
    return {
      attempts: kind({ ...bound, keyPrefix: 'octavo:attempts' }),
      penalties: kind({ ...counted, keyPrefix: 'octavo:penalty' }),
    }
  const shared = {
    storeClient: asClient(store),
    storeType: 'pool',
    tableName: tables.attempts.table,
    tableCreated: true,
  }
  return {
    attempts: new RateLimiterPostgres({ ...shared, ...bound }),
    penalties: new RateLimiterPostgres({ ...shared, ...counted, keyPrefix: 'penalty' }),
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
