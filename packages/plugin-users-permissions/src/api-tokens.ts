import type { Logger, Store } from '@octavo/core'
import { LRUCache } from 'lru-cache'
import { isActionName } from './action-names.ts'
import { changesChannel } from './changes.ts'
import { everything, type Grants, grantsOf, lookingOnly } from './grants.ts'
import { hashStrapiToken, hashToken, makeToken } from './secret-token.ts'

/** What all of them begin with, so that one that leaked is recognised, and is never taken for a user's. */
const prefix = 'octavo_'

/** The form of Strapi's: 128 random bytes. */
const strapiToken = /^[0-9a-f]{256}$/

/** How often the time of last use is written, in milliseconds. */
const usedEvery = 60_000

export interface NewApiToken {
  readonly name: string
  /** `read-only`, `full`, or the actions that it may do. */
  readonly access: 'read-only' | 'full' | readonly string[]
  /** When it ends. Absent: never. */
  readonly expiresAt?: Date
}

export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly access: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

interface Kept {
  readonly id: number
  readonly grants: Grants
  /** Milliseconds since 1970. */
  readonly expires: number
  used: number
}

/** Tokens by which servers ask. Of each only the hash is stored. */
export class ApiTokens {
  readonly #store: Store
  readonly #logger: Logger
  readonly #strapiSalt: string | undefined
  readonly #kept = new LRUCache<string, Kept>({ max: 1_000 })
  #changes = 0

  /** @param strapiSalt The salt of imported tokens of Strapi 4; without it they are not taken. */
  constructor(store: Store, logger: Logger, strapiSalt?: string) {
    this.#store = store
    this.#logger = logger
    this.#strapiSalt = strapiSalt
  }

  static async makeTable(store: Store): Promise<void> {
    await store.query(
      'create table if not exists "octavo_api_tokens" ("id" serial primary key, "name" text not null, "hash" text not null unique, "access" text not null, "expires_at" timestamptz(3), "last_used_at" timestamptz(3), "created_at" timestamptz(3) not null default now())',
    )
  }

  isOne(token: string): boolean {
    return token.startsWith(prefix) || this.#isStrapi(token)
  }

  #isStrapi(token: string): boolean {
    return this.#strapiSalt !== undefined && strapiToken.test(token)
  }

  #hash(token: string): string {
    const salt = this.#strapiSalt
    return salt !== undefined && this.#isStrapi(token) ? hashStrapiToken(token, salt) : hashToken(token)
  }

  /** The token, which is told only this once. @throws Error when a list of actions has a bad one. */
  async create({ name, access, expiresAt }: NewApiToken): Promise<string> {
    const token = prefix + makeToken()
    const bad = typeof access === 'string' ? undefined : access.find((action) => !isActionName(action))
    if (bad !== undefined) throw new Error(`"${bad}" is no action; write one as api::article.article.find`)
    await this.#store.query(
      'insert into "octavo_api_tokens" ("name", "hash", "access", "expires_at") values ($1, $2, $3, $4::timestamptz)',
      [
        name,
        hashToken(token),
        typeof access === 'string' ? access : access.join(' '),
        expiresAt?.toISOString() ?? null,
      ],
    )
    return token
  }

  async list(): Promise<readonly ApiToken[]> {
    const rows = await this.#store.query(
      'select "id", "name", "access", "expires_at"::text, "last_used_at"::text from "octavo_api_tokens" order by "id"',
    )
    return (rows as readonly (string | null)[][]).map(([id, name, access, expiresAt, lastUsedAt]) => ({
      id: Number(id),
      name: name ?? '',
      access: access ?? '',
      expiresAt: expiresAt ?? null,
      lastUsedAt: lastUsedAt ?? null,
    }))
  }

  /** Ends a token. @returns whether there was one. */
  async revoke(id: number): Promise<boolean> {
    const rows = await this.#store.query(
      'delete from "octavo_api_tokens" where "id" = $1::int8 returning "id"',
      [id],
    )
    this.forget()
    await this.#store.query('select pg_notify($1, $2)', [changesChannel, '{"apiTokens":true}'])
    return rows.length > 0
  }

  forget(): void {
    this.#changes++
    this.#kept.clear()
  }

  /** What a token may do; `undefined` when it is unknown or no longer holds. */
  async grants(token: string): Promise<Grants | undefined> {
    const hash = this.#hash(token)
    const kept = this.#kept.get(hash) ?? (await this.#load(hash))
    if (!kept || kept.expires <= Date.now()) return undefined
    this.#use(kept)
    return kept.grants
  }

  async #load(hash: string): Promise<Kept | undefined> {
    const before = this.#changes
    const [row] = await this.#store.query(
      'select "id", "access", extract(epoch from "expires_at") * 1000 from "octavo_api_tokens" where "hash" = $1',
      [hash],
    )
    if (!row) return undefined
    const [id, access, expires] = row
    const kept = {
      id: Number(id),
      grants: grantsOfAccess(String(access)),
      expires: expires == null ? Infinity : Number(expires),
      used: 0,
    }
    if (before === this.#changes) this.#kept.set(hash, kept)
    return kept
  }

  #use(kept: Kept): void {
    const now = Date.now()
    if (now - kept.used < usedEvery) return
    kept.used = now
    this.#store
      .query('update "octavo_api_tokens" set "last_used_at" = now() where "id" = $1::int8', [kept.id])
      .catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'The time of last use of a token could not be written'),
      )
  }
}

function grantsOfAccess(access: string): Grants {
  if (access === 'full') return everything
  if (access === 'read-only') return lookingOnly
  return grantsOf(access.split(' ').map((action) => ({ action })))
}
