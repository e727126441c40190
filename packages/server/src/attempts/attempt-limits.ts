import { createHash } from 'node:crypto'
import { type Store, sql } from '@octavo/core'
import { param } from '@octavo/core/plugin'
import type { RouteContext } from '../plugin/route-context.ts'
import type { Routes } from '../plugin/routes.ts'
import { networkOf } from '../socket/network.ts'
import type { AttemptTables } from './attempt-tables.ts'
import { type AttemptResult, type AttemptStore, type Limiters, openLimiters } from './limiters.ts'

/** Maximum duration of a penalty, in seconds. */
const longestPenalty = 900
/** Days for which the address of a successful login is remembered. */
const knownDays = 90

export interface AttemptLimitsOptions {
  /** Attempts in `duration`. Default 5. */
  readonly points?: number
  /** Seconds. Default 60. */
  readonly duration?: number
  /** Default `database` where several processes serve, else `memory`. */
  readonly store?: AttemptStore
}

interface Parts {
  readonly store: Store
  readonly tables: AttemptTables
  /** Makes the error of an attempt above the limit, a 429. */
  readonly refused: () => Error
}

/**
 * Limits the attempts to log in and the like: by address and route, and by account and route. A caller cannot vary these keys at will:
 * the route is the matched one, not the path; the address is that of the connection; the account is the folded name or email address of
 * the request, whether or not such a user exists.
 *
 * Each time the limit of an account is reached, the account is closed for twice as long, up to 15 minutes. This does not lock out the
 * owner: an address from which the account has logged in before has its own limit.
 */
export class AttemptLimits {
  readonly #parts: Parts
  readonly #points: number
  readonly #duration: number
  /** `undefined`: there is no limit. */
  readonly #limiters: Limiters | undefined

  /** @param routes With `rateLimit: false`, the option of the server, nothing is limited. */
  constructor(
    options: AttemptLimitsOptions | undefined,
    { rateLimit, processes }: Pick<Routes, 'rateLimit' | 'processes'>,
    parts: Parts,
  ) {
    const { points = 5, duration = 60, store = processes > 1 ? 'database' : 'memory' } = options ?? {}
    this.#parts = parts
    this.#points = points
    this.#duration = duration
    if (rateLimit) this.#limiters = openLimiters(store, { points, duration }, parts.store, parts.tables)
  }

  /** Counts an attempt of an address. @throws the error for refused attempts, with `Retry-After`. */
  async address(context: RouteContext, route: string): Promise<void> {
    await this.#consume(`address:${route}:${networkOf(context.ip)}`, context)
  }

  /** Counts an attempt for an account. @throws the error for refused attempts, with `Retry-After`. */
  async account(context: RouteContext, route: string, account: string | number): Promise<void> {
    await this.#consume(`account:${route}:${typeof account === 'number' ? account : keyOf(account)}`, context)
  }

  /**
   * Counts an attempt to log in, before the password is compared.
   * @param name As the account is looked up by it.
   * @throws the error for refused attempts, with `Retry-After`.
   */
  async login(context: RouteContext, name: string): Promise<void> {
    if (!this.#limiters) return
    const { store, tables } = this.#parts
    const hash = knownHash(name, networkOf(context.ip))
    const found = await store
      .rows(tables.knownLogins)
      .first({ where: { hash, expires: { $gt: sql`now()` } }, select: ['hash'] })
    if (found) return this.#consume(`known:login:${hash}`, context)
    await this.#consume(`account:login:${keyOf(name)}`, context, true)
  }

  /** Remembers the address of a successful login for each name of the account, and ends its penalties. */
  async loggedIn(context: RouteContext, names: readonly string[]): Promise<void> {
    if (!this.#limiters) return
    const { store, tables } = this.#parts
    const rows = store.rows(tables.knownLogins)
    await rows.delete({ where: { expires: { $lt: sql`now()` } } })
    for (const name of names) {
      await rows.insert(
        {
          hash: knownHash(name, networkOf(context.ip)),
          expires: sql`now() + make_interval(days => ${param(knownDays, 'int')})`,
        },
        { onConflict: { on: ['hash'], set: ['expires'] } },
      )
      await this.#limiters.penalties.delete(`account:login:${keyOf(name)}`)
    }
  }

  /** Closes a key, each time for twice as long. @returns for how long, in seconds */
  async #penalise(key: string, { attempts, penalties }: Limiters): Promise<number> {
    const { consumedPoints } = await penalties.consume(key)
    const seconds = Math.min(
      this.#duration * 2 ** (consumedPoints - 1),
      Math.max(longestPenalty, this.#duration),
    )
    await attempts.block(key, seconds)
    return seconds
  }

  /** @param isPenalised Whether the key is closed for longer each time its limit is reached. */
  async #consume(key: string, context: RouteContext, isPenalised = false): Promise<void> {
    if (!this.#limiters) return
    try {
      await this.#limiters.attempts.consume(key)
    } catch (refused) {
      if (!isResult(refused)) throw refused
      let seconds = Math.ceil(refused.msBeforeNext / 1000)
      // The first attempt above the limit closes the account.
      if (isPenalised && refused.consumedPoints === this.#points + 1)
        seconds = await this.#penalise(key, this.#limiters)
      context.set('Retry-After', String(seconds))
      throw this.#parts.refused()
    }
  }
}

/** Checks the properties, not the class: the function `store` may use another copy of rate-limiter-flexible. */
const isResult = (refused: unknown): refused is AttemptResult =>
  typeof refused === 'object' && refused !== null && 'msBeforeNext' in refused && 'consumedPoints' in refused

const keyOf = (name: string): string =>
  createHash('sha256').update(name.trim().toLowerCase()).digest('base64url')

const knownHash = (name: string, address: string): string =>
  createHash('sha256').update(`${address} ${name}`).digest('base64url')
