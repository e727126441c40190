import { createHash } from 'node:crypto'
import { type Store, sql } from '@octavo/core'
import { type Bindable, param } from '@octavo/core/plugin'
import { networkOf, type RouteContext, type Routes } from '@octavo/server'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { AttemptLimiter, AttemptResult, UsersPermissionsOptions } from './options.ts'
import { problem } from './problems.ts'
import type { Tables } from './tables.ts'

/** Maximum duration of a penalty, in seconds. */
const longestPenalty = 900
/** Period in which penalties are counted, in seconds. */
const penaltyMemory = 86_400
/** A number of points that is not reached, and that every store can count to. */
const mostPoints = 2_000_000_000
/** Days for which the address of a successful login is remembered. */
const knownDays = 90

/**
 * Limits the attempts on the routes of authentication: by address and route, and by account and route. A caller cannot vary
 * these keys at will: the route is the matched one, not the path; the address is that of the connection; the account is the
 * folded name or email address of the request, whether or not such a user exists.
 *
 * Each time the limit of an account is reached, the account is closed for twice as long, up to 15 minutes. This does not lock
 * out the owner: an address from which the account has logged in before has its own limit.
 */
export class RateLimit {
  readonly #limiter: AttemptLimiter | undefined
  readonly #penalties: AttemptLimiter | undefined
  readonly #store: Store
  readonly #known: Tables['knownLogins']
  readonly #points: number
  readonly #duration: number

  private constructor(
    store: Store,
    known: Tables['knownLogins'],
    { points, duration }: { readonly points: number; readonly duration: number },
    limiter?: AttemptLimiter,
    penalties?: AttemptLimiter,
  ) {
    this.#store = store
    this.#known = known
    this.#points = points
    this.#duration = duration
    this.#limiter = limiter
    this.#penalties = penalties
  }

  static open(
    options: UsersPermissionsOptions['rateLimit'],
    { rateLimit, processes }: Pick<Routes, 'rateLimit' | 'processes'>,
    store: Store,
    tables: Tables,
  ): RateLimit {
    const { points = 5, duration = 60, store: kind = processes > 1 ? 'database' : 'memory' } = options ?? {}
    const bound = { points, duration }
    if (!rateLimit) return new RateLimit(store, tables.knownLogins, bound)
    // No limit: penalties are only counted.
    const counted = { points: Number.MAX_SAFE_INTEGER, duration: penaltyMemory, keyPrefix: 'penalty' }
    if (kind === 'memory')
      return new RateLimit(
        store,
        tables.knownLogins,
        bound,
        new RateLimiterMemory(bound),
        new RateLimiterMemory(counted),
      )
    if (typeof kind === 'function')
      return new RateLimit(
        store,
        tables.knownLogins,
        bound,
        kind({ ...bound, keyPrefix: 'octavo:attempts' }),
        kind({ ...counted, points: mostPoints, keyPrefix: 'octavo:penalty' }),
      )
    const shared = {
      storeClient: asClient(store),
      storeType: 'pool',
      tableName: tables.attempts.table,
      tableCreated: true,
    }
    return new RateLimit(
      store,
      tables.knownLogins,
      bound,
      new RateLimiterPostgres({ ...shared, ...bound }),
      new RateLimiterPostgres({ ...shared, ...counted, points: mostPoints }),
    )
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  async address(context: RouteContext, route: string): Promise<void> {
    await this.#consume(`address:${route}:${networkOf(context.ip)}`, context)
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  async account(context: RouteContext, route: string, account: string | number): Promise<void> {
    await this.#consume(`account:${route}:${typeof account === 'number' ? account : keyOf(account)}`, context)
  }

  /**
   * Counts an attempt, before the password is compared.
   * @param name The result of `foldName`.
   * @throws RateLimitError 429 with `Retry-After`.
   */
  async login(context: RouteContext, name: string): Promise<void> {
    if (!this.#limiter) return
    const known = knownHash(name, networkOf(context.ip))
    const found = await this.#store
      .rows(this.#known)
      .first({ where: { hash: known, expires: { $gt: sql`now()` } }, select: ['hash'] })
    if (found) return this.#consume(`known:login:${known}`, context)
    await this.#consume(`account:login:${keyOf(name)}`, context, true)
  }

  /** Remembers the address of a successful login for each name of the account, and ends its penalties. */
  async loggedIn(context: RouteContext, names: readonly string[]): Promise<void> {
    if (!this.#limiter) return
    const rows = this.#store.rows(this.#known)
    await rows.delete({ where: { expires: { $lt: sql`now()` } } })
    for (const name of names) {
      await rows.insert(
        {
          hash: knownHash(name, networkOf(context.ip)),
          expires: sql`now() + make_interval(days => ${param(knownDays, 'int')})`,
        },
        { onConflict: { on: ['hash'], set: ['expires'] } },
      )
      await this.#penalties?.delete(`account:login:${keyOf(name)}`)
    }
  }

  /** Closes a key, each time for twice as long. @returns for how long, in seconds */
  async #penalise(key: string): Promise<number> {
    const penalties = (await this.#penalties?.consume(key))?.consumedPoints ?? 1
    const seconds = Math.min(this.#duration * 2 ** (penalties - 1), Math.max(longestPenalty, this.#duration))
    await this.#limiter?.block(key, seconds)
    return seconds
  }

  /** @param isPenalised Whether the key is closed for longer each time its limit is reached. */
  async #consume(key: string, context: RouteContext, isPenalised = false): Promise<void> {
    try {
      await this.#limiter?.consume(key)
    } catch (refused) {
      if (!isResult(refused)) throw refused
      let seconds = Math.ceil(refused.msBeforeNext / 1000)
      // The first attempt above the limit closes the account.
      if (isPenalised && refused.consumedPoints === this.#points + 1) seconds = await this.#penalise(key)
      context.set('Retry-After', String(seconds))
      throw problem('auth/too-many-attempts')
    }
  }
}

/** By its form: the function `store` may use another copy of rate-limiter-flexible. */
const isResult = (refused: unknown): refused is AttemptResult =>
  typeof refused === 'object' && refused !== null && 'msBeforeNext' in refused && 'consumedPoints' in refused

const keyOf = (name: string): string =>
  createHash('sha256').update(name.trim().toLowerCase()).digest('base64url')

const knownHash = (name: string, address: string): string =>
  createHash('sha256').update(`${address} ${name}`).digest('base64url')

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
