import { type Octavo, type Queryable, sql } from '@octavo/core'
import { type OwnRow, param } from '@octavo/core/plugin'
import { editorUid } from '../content-types.ts'
import type { Settings } from '../options.ts'
import { type Grants, grantsOf } from '../rights/grants.ts'
import type { Tables } from '../tables.ts'
import { type Account, accountOf } from './rows.ts'
import { hashSecret, makeSecret } from './secret.ts'

/** A session of a request. */
export interface Session extends Account {
  readonly id: number
  readonly grants: Grants
}

interface StoredSession {
  readonly id: number
  /** Whether its last use was noted longer than {@link notedEvery} ago. */
  readonly isLate: boolean
  readonly account: Account
}

/** Seconds between two notes that a session is used. */
const notedEvery = 60

/** Sessions in the database, which has the hash of each cookie. Nothing is in memory, so that an end holds at once in all processes. */
export class Sessions {
  readonly #octavo: Octavo
  readonly #tables: Tables
  readonly #settings: Settings

  constructor(octavo: Octavo, tables: Tables, settings: Settings) {
    this.#octavo = octavo
    this.#tables = tables
    this.#settings = settings
  }

  /** @param agent The `User-Agent`, for the list of sessions. @returns the value of the cookie */
  async begin(editorId: number, agent: string): Promise<string> {
    const secret = makeSecret()
    const rows = this.#octavo.store.rows(this.#tables.sessions)
    await rows.delete({ where: { expires_at: { $lt: sql`now()` } } })
    await rows.insert({
      hash: hashSecret(secret),
      editor_id: editorId,
      agent: agent.slice(0, 200),
      created_at: sql`now()`,
      used_at: sql`now()`,
      expires_at: sql`now() + make_interval(secs => ${param(this.#settings.longest, 'int')})`,
    })
    return secret
  }

  /** The session of a cookie, with what the person may do now; `undefined` when it has ended or the person is not active. */
  async find(secret: string): Promise<Session | undefined> {
    const { store, registry } = this.#octavo
    const { idle } = this.#settings
    const account = accountOf(sql`"e"`, sql.id(this.#tables.factors.table), registry)
    const isLate = sql`"s"."used_at" < now() - make_interval(secs => ${param(notedEvery, 'int')})`
    const isActive = sql`"s"."expires_at" > now() and "s"."used_at" > now() - make_interval(secs => ${param(idle, 'int')})`
    const [row] = await store.run(
      sql`select json_build_object('id', "s"."id", 'isLate', ${isLate}, 'account', ${account})::text as "session" from ${sql.id(this.#tables.sessions.table)} as "s" join ${sql.id(registry.contentType(editorUid).table)} as "e" on "e"."id" = "s"."editor_id" and "e"."active" where "s"."hash" = ${param(hashSecret(secret), 'text')} and ${isActive}`,
    )
    if (!row) return undefined
    const { id, isLate: isUnnoted, account: found } = JSON.parse(String(row.session)) as StoredSession
    if (isUnnoted)
      await store.rows(this.#tables.sessions).update({ where: { id }, set: { used_at: sql`now()` } })
    return { id, ...found, grants: grantsOf(found.roles) }
  }

  async list(editorId: number): Promise<readonly Omit<OwnSession, 'hash'>[]> {
    return this.#octavo.store.rows(this.#tables.sessions).find({
      where: { editor_id: editorId, ...this.#active() },
      select: ['id', 'editor_id', 'agent', 'created_at', 'used_at', 'expires_at'],
      orderBy: { id: 'desc' },
    })
  }

  /** Ends a session of a person. @returns whether there was one */
  async end(editorId: number, id: number): Promise<boolean> {
    const rows = this.#octavo.store.rows(this.#tables.sessions)
    return (await rows.delete({ where: { id, editor_id: editorId } })).length > 0
  }

  /** Ends the session of a cookie. */
  async endOf(secret: string): Promise<void> {
    await this.#octavo.store.rows(this.#tables.sessions).delete({ where: { hash: hashSecret(secret) } })
  }

  /** Ends all sessions of a person. @param except A session that stays. */
  async endAll(editorId: number, db: Queryable = this.#octavo.store, except = 0): Promise<void> {
    await db.rows(this.#tables.sessions).delete({ where: { editor_id: editorId, id: { $ne: except } } })
  }

  #active() {
    return {
      expires_at: { $gt: sql`now()` },
      used_at: { $gt: sql`now() - make_interval(secs => ${param(this.#settings.idle, 'int')})` },
    }
  }
}

type OwnSession = OwnRow<{
  readonly id: { readonly type: 'integer' }
  readonly hash: { readonly type: 'text' }
  readonly editor_id: { readonly type: 'integer' }
  readonly agent: { readonly type: 'text' }
  readonly created_at: { readonly type: 'timestamp' }
  readonly used_at: { readonly type: 'timestamp' }
  readonly expires_at: { readonly type: 'timestamp' }
}>
