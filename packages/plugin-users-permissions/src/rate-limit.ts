import { createHash } from 'node:crypto'
import { RateLimitError, type Store } from '@octavo/core'
import type { RouteContext, Routes } from '@octavo/server'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { UsersPermissionsOptions } from './options.ts'

/** A penalty lasts this long at most, in seconds. */
const longestPenalty = 900
/** Penalties are counted for this long, in seconds. */
const penaltyMemory = 86_400
/** An address from which a login worked is known for this long, in days. */
const knownDays = 90

/**
 * Bounds how often the routes of authentication may be tried: by address and route, and by account and route. Neither key
 * has anything in it that a caller can vary at will: the route is the one that matched, not the path as written; the
 * address is the connection's; the account is the folded name or address that was given, whether or not there is a user
 * of it.
 *
 * Guessing at an account slows down: each time its bound is reached, it is closed for twice as long, up to 15 minutes. The
 * owner is not locked out by that: an address from which a login of the account worked has a bound of its own.
 */
export class RateLimit {
  readonly #limiter: RateLimiterMemory | RateLimiterPostgres | undefined
  readonly #penalties: RateLimiterMemory | RateLimiterPostgres | undefined
  readonly #store: Store
  readonly #points: number
  readonly #duration: number

  private constructor(
    store: Store,
    { points, duration }: { readonly points: number; readonly duration: number },
    limiter?: RateLimiterMemory | RateLimiterPostgres,
    penalties?: RateLimiterMemory | RateLimiterPostgres,
  ) {
    this.#store = store
    this.#points = points
    this.#duration = duration
    this.#limiter = limiter
    this.#penalties = penalties
  }

  static async open(
    options: UsersPermissionsOptions['rateLimit'],
    { rateLimit, processes }: Pick<Routes, 'rateLimit' | 'processes'>,
    store: Store,
  ): Promise<RateLimit> {
    const { points = 5, duration = 60, store: kind = processes > 1 ? 'database' : 'memory' } = options ?? {}
    const bound = { points, duration }
    if (!rateLimit) return new RateLimit(store, bound)
    await store.query(
      `create table if not exists "${knownTable}" ("hash" text primary key, "expires" timestamptz not null)`,
    )
    // As many as there may be: penalties are only counted.
    const counted = { points: Number.MAX_SAFE_INTEGER, duration: penaltyMemory, keyPrefix: 'penalty' }
    if (kind === 'memory')
      return new RateLimit(store, bound, new RateLimiterMemory(bound), new RateLimiterMemory(counted))
    await store.query(
      `create table if not exists "${table}" ("key" varchar(255) primary key, "points" integer not null default 0, "expire" bigint)`,
    )
    const shared = { storeClient: asClient(store), storeType: 'pool', tableName: table, tableCreated: true }
    return new RateLimit(
      store,
      bound,
      new RateLimiterPostgres({ ...shared, ...bound }),
      new RateLimiterPostgres({ ...shared, ...counted, points: 2_000_000_000 }),
    )
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  async address(context: RouteContext, route: string): Promise<void> {
    await this.#consume(`address:${route}:${context.ip}`, context)
  }

  /** @throws RateLimitError 429 with `Retry-After`. */
  async account(context: RouteContext, route: string, account: string | number): Promise<void> {
    await this.#consume(`account:${route}:${typeof account === 'number' ? account : keyOf(account)}`, context)
  }

  /**
   * Before a password is compared.
   * @param name As `foldName` gives it.
   * @throws RateLimitError 429 with `Retry-After`.
   */
  async login(context: RouteContext, name: string): Promise<void> {
    if (!this.#limiter) return
    const known = knownHash(name, context.ip)
    const [row] = await this.#store.query(
      `select 1 from "${knownTable}" where "hash" = $1 and "expires" > now()`,
      [known],
    )
    if (row) return this.#consume(`known:login:${known}`, context)
    await this.#consume(`account:login:${keyOf(name)}`, context, true)
  }

  /** A login worked: its address is known for each name of the account, and its penalties end. */
  async loggedIn(context: RouteContext, names: readonly string[]): Promise<void> {
    if (!this.#limiter) return
    await this.#store.query(`delete from "${knownTable}" where "expires" < now()`)
    for (const name of names) {
      await this.#store.query(
        `insert into "${knownTable}" ("hash", "expires") values ($1, now() + make_interval(days => $2::int)) on conflict ("hash") do update set "expires" = excluded."expires"`,
        [knownHash(name, context.ip), knownDays],
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

  /** @param isPenalised Whether the key is closed for longer each time that its bound is reached. */
  async #consume(key: string, context: RouteContext, isPenalised = false): Promise<void> {
    try {
      await this.#limiter?.consume(key)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      let seconds = Math.ceil(refused.msBeforeNext / 1000)
      // The first attempt beyond the bound closes the account; those that follow meet it closed.
      if (isPenalised && refused.consumedPoints === this.#points + 1) seconds = await this.#penalise(key)
      context.set('Retry-After', String(seconds))
      throw new RateLimitError('auth/too-many-attempts', 'Too many requests, please try again later.')
    }
  }
}

const table = 'octavo_rate_limits'
const knownTable = 'octavo_known_logins'

const keyOf = (name: string): string =>
  createHash('sha256').update(name.trim().toLowerCase()).digest('base64url')

const knownHash = (name: string, address: string): string =>
  createHash('sha256').update(`${address} ${name}`).digest('base64url')

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
