import { type NamedRow, type Store, sql } from '@octavo/core'
import { param } from '@octavo/core/plugin'
import type { Tables } from '../tables.ts'
import { hashToken, makeToken, seal, unseal } from './secret-token.ts'

/** 30 days, in seconds. */
const defaultExpiry = 2_592_000

/** Time in which a client may repeat a request. */
const repeatSeconds = 10

/** The login that a token continues. */
export interface Session {
  readonly userId: number
  /** Identifies the session; its access tokens contain it. */
  readonly family: string
  /** The version of the user's tokens when the session began. */
  readonly version: number
}

export interface Rotated {
  readonly next: string
  readonly session: Session
}

const sessionOf = (row: NamedRow): Session => ({
  userId: Number(row.user_id),
  version: Number(row.version),
  family: String(row.family),
})

/**
 * Refresh tokens: each is valid once and is replaced by the next of its family. The second use of a token means that it was
 * stolen; since owner and thief cannot be distinguished, the family ends. Only hashes are stored.
 *
 * A client whose answer was lost repeats its request with the same `Idempotency-Key`, which a thief does not have. For ten seconds, and until the next token is
 * used, it gets the same next token.
 */
export class RefreshTokens {
  readonly #store: Store
  readonly #table: Tables['refreshTokens']
  readonly #expiresIn: number

  /** @param expiresIn Seconds. */
  constructor(store: Store, table: Tables['refreshTokens'], expiresIn = defaultExpiry) {
    this.#store = store
    this.#table = table
    this.#expiresIn = expiresIn
  }

  /**
   * Starts a family.
   * @param key The key of a request that the client may repeat: the family takes the place of the one that a request of the last day with the
   * same key started for the user.
   */
  async begin(
    { userId, version }: Omit<Session, 'family'>,
    key?: string,
  ): Promise<{ readonly token: string; readonly family: string }> {
    await this.#store.rows(this.#table).delete({ where: { expires: { $lt: sql`now()` } } })
    const token = makeToken()
    const family = key === undefined ? makeToken() : hashToken(`${userId} ${key}`)
    const tokens = sql.id(this.#table.table)
    const ofRequest = param(key === undefined ? null : family, 'text')
    // One statement, so that a repetition leaves one session.
    await this.#store.run(
      sql`with former as (delete from ${tokens} where "family" = ${ofRequest} and "expires" > ${this.#expires} - interval '1 day') insert into ${tokens} ("hash", "family", "user_id", "version", "used", "expires") values (${param(hashToken(token), 'text')}, ${param(family, 'text')}, ${param(userId, 'int')}, ${param(version, 'int')}, false, ${this.#expires})`,
    )
    return { token, family }
  }

  /**
   * Exchanges a token for the next one. `undefined` when it is invalid; the caller must then end its family.
   * @param key The key of a request that the client may repeat.
   */
  async rotate(token: string, key?: string): Promise<Rotated | undefined> {
    const next = makeToken()
    const tokens = sql.id(this.#table.table)
    const repeat = key === undefined ? null : hashToken(key)
    const sealed = key === undefined ? null : seal(next, token)
    // One statement: a concurrent second use waits for it, and then ends the new token as well.
    const [row] = await this.#store.run(
      sql`with taken as (update ${tokens} set "used" = true, "used_at" = now(), "repeat_key" = ${param(repeat, 'text')}, "next" = ${param(sealed, 'text')} where "hash" = ${param(hashToken(token), 'text')} and not "used" and "expires" > now() returning "family", "user_id", "version") insert into ${tokens} ("hash", "family", "user_id", "version", "used", "expires") select ${param(hashToken(next), 'text')}, "family", "user_id", "version", false, ${this.#expires} from taken returning "user_id", "version", "family"`,
    )
    return row ? { next, session: sessionOf(row) } : this.#repeated(token, repeat)
  }

  /** The answer of the request that a client repeats. */
  async #repeated(token: string, repeat: string | null): Promise<Rotated | undefined> {
    if (repeat === null) return undefined
    const tokens = sql.id(this.#table.table)
    const [row] = await this.#store.run(
      sql`select "user_id", "version", "family", "next" from ${tokens} where "hash" = ${param(hashToken(token), 'text')} and "repeat_key" = ${param(repeat, 'text')} and "used_at" > now() - make_interval(secs => ${param(repeatSeconds, 'int')}) and "expires" > now()`,
    )
    if (row?.next == null) return undefined
    const next = unseal(row.next, token)
    const where = { hash: hashToken(next), used: false }
    const isUnused = await this.#store.rows(this.#table).first({ where, select: ['hash'] })
    return isUnused && { next, session: sessionOf(row) }
  }

  /** Ends the family of a token. @returns the id of its user; `undefined` when there is none. */
  async end(token: string): Promise<number | undefined> {
    const tokens = sql.id(this.#table.table)
    // One statement, so that a concurrent rotation cannot leave a token of the family.
    const [row] = await this.#store.run(
      sql`delete from ${tokens} where "family" in (select "family" from ${tokens} where "hash" = ${param(hashToken(token), 'text')}) returning "user_id"`,
    )
    return row && Number(row.user_id)
  }

  get #expires() {
    return sql`now() + make_interval(secs => ${param(this.#expiresIn, 'int')})`
  }
}
