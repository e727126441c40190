import { ConfigurationError, type Octavo, sql } from '@octavo/core'
import type { Channel } from '@octavo/core/plugin'
import { LRUCache } from 'lru-cache'
import type { Change } from '../changes.ts'
import { checkAction } from '../rights/check-permissions.ts'
import { everything, type Grants, grantsOf, readOnlyGrants } from '../rights/grants.ts'
import type { Tables } from '../tables.ts'
import { hashStrapiToken, hashToken, makeToken } from './secret-token.ts'

/** The prefix of every token, so that leaked tokens are recognised and never confused with those of users. */
const prefix = 'octavo_'

/** The form of Strapi's tokens: 128 random bytes. */
const strapiToken = /^[0-9a-f]{256}$/

/** Minimum interval between updates of the time of last use, in milliseconds. */
const usedEvery = 60_000

export interface NewApiToken {
  readonly name: string
  /** `read-only`, `full`, or a list of actions. */
  readonly access: 'read-only' | 'full' | readonly string[]
  /** The time of expiry. Absent: never. */
  readonly expiresAt?: Date
  /** The person who makes it: `editor 2`. Absent: a program. */
  readonly createdBy?: string
}

export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly access: string
  /** ISO time. */
  readonly expiresAt: string | null
  /** ISO time, to the minute. */
  readonly lastUsedAt: string | null
  /** ISO time. */
  readonly createdAt: string
  /** The person who made it: `editor 2`; null for programs and imports. */
  readonly createdBy: string | null
}

interface CachedToken {
  readonly id: number
  readonly grants: Grants
  /** Milliseconds since 1970. */
  readonly expires: number
  used: number
}

interface ApiTokensOptions {
  readonly octavo: Octavo
  readonly table: Tables['apiTokens']
  readonly changes: Channel<Change>
  /** The salt of imported tokens of Strapi 4; without it they are not accepted. */
  readonly strapiSalt: string | undefined
}

/** API tokens for server-to-server requests. Only their hashes are stored. */
export class ApiTokens {
  readonly #octavo: Octavo
  readonly #table: Tables['apiTokens']
  readonly #changes: Channel<Change>
  readonly #strapiSalt: string | undefined
  readonly #cache = new LRUCache<string, CachedToken>({ max: 1_000 })
  #changesSeen = 0

  constructor({ octavo, table, changes, strapiSalt }: ApiTokensOptions) {
    this.#octavo = octavo
    this.#table = table
    this.#changes = changes
    this.#strapiSalt = strapiSalt
    running.set(octavo, this)
  }

  /** Whether a text has the form of an API token. */
  isOne(token: string): boolean {
    return token.startsWith(prefix) || this.#isStrapi(token)
  }

  /**
   * @returns the token, which is not stored and cannot be shown again.
   * @throws ConfigurationError for an action that does not exist, with the nearest one that does.
   */
  async create(token: NewApiToken): Promise<string> {
    return (await this.make(token)).token
  }

  /**
   * Makes a token, as {@link create}.
   * @returns the token with its id.
   * @throws ConfigurationError for an action that does not exist.
   */
  async make({
    name,
    access,
    expiresAt,
    createdBy,
  }: NewApiToken): Promise<{ readonly id: number; readonly token: string }> {
    const token = prefix + makeToken()
    const actions = typeof access === 'string' ? [] : access
    if (typeof access !== 'string' && actions.length === 0)
      throw new ConfigurationError(`the token "${name}": its list of actions is empty`)
    for (const action of actions) checkAction(action, this.#octavo.actions, `the token "${name}"`)
    const [row] = await this.#rows().insert(
      {
        name,
        hash: hashToken(token),
        access: typeof access === 'string' ? access : access.join(' '),
        expires_at: expiresAt ?? null,
        created_at: sql`now()`,
        created_by: createdBy ?? null,
      },
      { returning: ['id'] },
    )
    return { id: row?.id as number, token } // one row was inserted
  }

  async list(): Promise<readonly ApiToken[]> {
    const rows = await this.#rows().find({ orderBy: { id: 'asc' } })
    return rows.map(({ id, name, access, expires_at, last_used_at, created_at, created_by }) => ({
      id,
      name,
      access,
      expiresAt: expires_at,
      lastUsedAt: last_used_at,
      createdAt: created_at,
      createdBy: created_by,
    }))
  }

  /** Revokes a token, in every process. @returns whether it existed. */
  async revoke(id: number): Promise<boolean> {
    const rows = await this.#rows().delete({ where: { id } })
    this.forget()
    await this.#changes.publish({ apiTokens: true })
    return rows.length > 0
  }

  /** Tokens changed, here or in another process. */
  forget(): void {
    this.#changesSeen++
    this.#cache.clear()
  }

  /** The id and the rights of a token; `undefined` when it is unknown or expired. */
  async find(token: string): Promise<Pick<CachedToken, 'id' | 'grants'> | undefined> {
    const hash = this.#hash(token)
    const cached = this.#cache.get(hash) ?? (await this.#load(hash))
    if (!cached || cached.expires <= this.#octavo.store.now().getTime()) return undefined
    this.#use(cached)
    return cached
  }

  #rows() {
    return this.#octavo.store.rows(this.#table)
  }

  #isStrapi(token: string): boolean {
    return this.#strapiSalt !== undefined && strapiToken.test(token)
  }

  #hash(token: string): string {
    const salt = this.#strapiSalt
    return salt !== undefined && this.#isStrapi(token) ? hashStrapiToken(token, salt) : hashToken(token)
  }

  async #load(hash: string): Promise<CachedToken | undefined> {
    const before = this.#changesSeen
    const row = await this.#rows().first({ where: { hash }, select: ['id', 'access', 'expires_at'] })
    if (!row) return undefined
    const token = {
      id: row.id,
      grants: grantsOfAccess(row.access),
      expires: row.expires_at === null ? Infinity : Date.parse(row.expires_at),
      used: 0,
    }
    if (before === this.#changesSeen) this.#cache.set(hash, token)
    return token
  }

  #use(token: CachedToken): void {
    const now = Date.now()
    if (now - token.used < usedEvery) return
    token.used = now
    this.#rows()
      .update({ where: { id: token.id }, set: { last_used_at: sql`now()` } })
      .catch((error: unknown) =>
        this.#octavo.logger.warn({ err: error }, 'The time of last use of a token could not be written'),
      )
  }
}

const running = new WeakMap<Octavo, ApiTokens>()

/** The API tokens of an octavo. @throws Error when it does not have the plugin users-permissions. */
export function apiTokensOf(octavo: Octavo): ApiTokens {
  const tokens = running.get(octavo)
  if (tokens) return tokens
  throw new Error('This octavo does not have the plugin users-permissions, and so no API tokens')
}

function grantsOfAccess(access: string): Grants {
  if (access === 'full') return everything
  if (access === 'read-only') return readOnlyGrants
  return grantsOf(access.split(' ').map((action) => ({ action })))
}
