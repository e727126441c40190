import type { Store } from '@octavo/core'
import { hashToken, makeToken } from './secret-token.ts'

/** 30 days, in seconds. */
const defaultExpiry = 2_592_000

/** Whose session a token goes on with. */
export interface Session {
  readonly userId: number
  /** Names the login; the access tokens of its family carry it. */
  readonly family: string
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

  static async makeTable(store: Store): Promise<void> {
    await store.query(
      'create table if not exists "octavo_refresh_tokens" ("hash" text primary key, "family" text not null, "user_id" integer not null references "up_users" ("id") on delete cascade, "version" integer not null, "used" boolean not null default false, "expires" timestamptz not null)',
    )
    await store.query(
      'create index if not exists "octavo_refresh_tokens_user_id" on "octavo_refresh_tokens" ("user_id")',
    )
  }

  /** Begins a family. */
  async begin({
    userId,
    version,
  }: Omit<Session, 'family'>): Promise<{ readonly token: string; readonly family: string }> {
    await this.#store.query('delete from "octavo_refresh_tokens" where "expires" < now()')
    const [token, family] = [makeToken(), makeToken()]
    await this.#store.query(
      'insert into "octavo_refresh_tokens" ("hash", "family", "user_id", "version", "expires") values ($1, $2, $3::int8, $4::int8, now() + make_interval(secs => $5::int))',
      [hashToken(token), family, userId, version, this.#expiresIn],
    )
    return { token, family }
  }

  /** Takes a token and gives the next; `undefined` when it does not hold: its family is to be ended then. */
  async rotate(token: string): Promise<{ readonly next: string; readonly session: Session } | undefined> {
    const next = makeToken()
    // One statement: a second use that comes at the same time waits for it, and then ends the new token as well.
    const [row] = await this.#store.query(
      'with taken as (update "octavo_refresh_tokens" set "used" = true where "hash" = $1 and not "used" and "expires" > now() returning "family", "user_id", "version") insert into "octavo_refresh_tokens" ("hash", "family", "user_id", "version", "expires") select $2, "family", "user_id", "version", now() + make_interval(secs => $3::int) from taken returning "user_id", "version", "family"',
      [hashToken(token), hashToken(next), this.#expiresIn],
    )
    return (
      row && { next, session: { userId: Number(row[0]), version: Number(row[1]), family: String(row[2]) } }
    )
  }

  /** Ends the family of a token. @returns whose it was; `undefined` when there is none */
  async end(token: string): Promise<number | undefined> {
    const [row] = await this.#store.query(
      'delete from "octavo_refresh_tokens" where "family" in (select "family" from "octavo_refresh_tokens" where "hash" = $1) returning "user_id"',
      [hashToken(token)],
    )
    return row && Number(row[0])
  }
}
