import { param, type Store, sql } from '@octavo/core'
import type { Tables } from '../tables.ts'
import { hashToken, makeToken } from './secret-token.ts'

/** 30 days, in seconds. */
const defaultExpiry = 2_592_000

/** The login that a token continues. */
export interface Session {
  readonly userId: number
  /** Identifies the session; its access tokens contain it. */
  readonly family: string
  /** The version of the user's tokens when the session began. */
  readonly version: number
}

/**
 * Refresh tokens: each is valid once and is replaced by the next of its family. The second use of a token means that it was
 * stolen; since owner and thief cannot be distinguished, the family ends. Only hashes are stored.
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

  /** Starts a family. */
  async begin({
    userId,
    version,
  }: Omit<Session, 'family'>): Promise<{ readonly token: string; readonly family: string }> {
    const rows = this.#store.rows(this.#table)
    await rows.delete({ where: { expires: { $lt: sql`now()` } } })
    const [token, family] = [makeToken(), makeToken()]
    await rows.insert({
      hash: hashToken(token),
      family,
      user_id: userId,
      version,
      used: false,
      expires: this.#expires,
    })
    return { token, family }
  }

  /** Exchanges a token for the next one. `undefined` when it is invalid; the caller must then end its family. */
  async rotate(token: string): Promise<{ readonly next: string; readonly session: Session } | undefined> {
    const next = makeToken()
    const tokens = sql.id(this.#table.table)
    // One statement: a concurrent second use waits for it, and then ends the new token as well.
    const [row] = await this.#store.run(
      sql`with taken as (update ${tokens} set "used" = true where "hash" = ${param(hashToken(token), 'text')} and not "used" and "expires" > now() returning "family", "user_id", "version") insert into ${tokens} ("hash", "family", "user_id", "version", "used", "expires") select ${param(hashToken(next), 'text')}, "family", "user_id", "version", false, ${this.#expires} from taken returning "user_id", "version", "family"`,
    )
    return (
      row && {
        next,
        session: {
          userId: Number(row.user_id),
          version: Number(row.version),
          family: String(row.family),
        },
      }
    )
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
