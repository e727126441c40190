import type { Store } from '@octavo/core'
import { hashToken, makeToken } from './secret-token.ts'

/** 30 days, in seconds. */
const defaultExpiry = 2_592_000

/** Whose session a token goes on with. */
export interface Session {
  readonly userId: number
  /** The version of the user's tokens when the session began. */
  readonly version: number
}

/**
 * Tokens that get new ones: each works once and is followed by the next of its family. One that comes a second time was
 * stolen, by whoever came first or second; nobody can tell, so the family ends. Only hashes are stored.
 */
export class RefreshTokens {
  readonly #store: Store
  readonly #expiresIn: number

  constructor(store: Store, expiresIn = defaultExpiry) {
    this.#store = store
    this.#expiresIn = expiresIn
  }

  static makeTable(store: Store): Promise<unknown> {
    return store.query(
      'create table if not exists "octavo_refresh_tokens" ("hash" text primary key, "family" text not null, "user_id" integer not null references "up_users" ("id") on delete cascade, "version" integer not null, "used" boolean not null default false, "expires" timestamptz not null)',
    )
  }

  /** Begins a family. */
  async begin({ userId, version }: Session): Promise<string> {
    await this.#store.query('delete from "octavo_refresh_tokens" where "expires" < now()')
    const token = makeToken()
    await this.#store.query(
      'insert into "octavo_refresh_tokens" ("hash", "family", "user_id", "version", "expires") values ($1, $2, $3::int8, $4::int8, now() + make_interval(secs => $5::int))',
      [hashToken(token), makeToken(), userId, version, this.#expiresIn],
    )
    return token
  }

  /** Takes a token and gives the next; `undefined` when it does not hold. */
  async rotate(token: string): Promise<{ readonly next: string; readonly session: Session } | undefined> {
    const next = makeToken()
    // One statement: a second use that comes at the same time waits for it, and then ends the new token as well.
    const [row] = await this.#store.query(
      'with taken as (update "octavo_refresh_tokens" set "used" = true where "hash" = $1 and not "used" and "expires" > now() returning "family", "user_id", "version") insert into "octavo_refresh_tokens" ("hash", "family", "user_id", "version", "expires") select $2, "family", "user_id", "version", now() + make_interval(secs => $3::int) from taken returning "user_id", "version"',
      [hashToken(token), hashToken(next), this.#expiresIn],
    )
    if (row) return { next, session: { userId: Number(row[0]), version: Number(row[1]) } }
    await this.end(token)
    return undefined
  }

  /** Ends the family of a token. */
  async end(token: string): Promise<void> {
    await this.#store.query(
      'delete from "octavo_refresh_tokens" where "family" in (select "family" from "octavo_refresh_tokens" where "hash" = $1)',
      [hashToken(token)],
    )
  }
}
