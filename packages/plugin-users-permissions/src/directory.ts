import type { Queryable, Store } from '@octavo/core'
import { LRUCache } from 'lru-cache'
import { type Grants, grantsOf, nothing, type Permission } from './grants.ts'

export interface Role {
  readonly id: number
  readonly type: string
  readonly name: string
  readonly description: string | null
  readonly grants: Grants
}

/** What must be known of a user at every request. */
export interface Account {
  readonly id: number
  readonly roleId: number | undefined
  readonly blocked: boolean
  readonly confirmed: boolean
  /** The version that its tokens must carry. */
  readonly version: number
  /** Logins that were not ended, of those that can be; see `Claims.session`. */
  readonly sessions: ReadonlySet<string>
}

/** Users whose account is kept in memory. */
const keptAccounts = 10_000

/**
 * Roles and users as requests need them, kept in memory until somebody says that they changed, so that a request asks
 * the database nothing about its caller.
 */
export class Directory {
  readonly #store: Store
  readonly #declared: ReadonlyMap<string, readonly Permission[]>
  #roles: Promise<ReadonlyMap<number, Role>> | undefined
  readonly #accounts = new LRUCache<number, Account>({ max: keptAccounts })
  /** Counts the changes that were heard of: what was read before one must not be kept after it. */
  #changes = 0

  constructor(store: Store, declared: ReadonlyMap<string, readonly Permission[]>) {
    this.#store = store
    this.#declared = declared
  }

  roles(): Promise<ReadonlyMap<number, Role>> {
    this.#roles ??= this.#loadRoles().catch((error: unknown) => {
      this.#roles = undefined
      throw error
    })
    return this.#roles
  }

  async roleOfType(type: string): Promise<Role | undefined> {
    return [...(await this.roles()).values()].find((role) => role.type === type)
  }

  /** The rights of a role; none when there is no such role. */
  async grants(roleId: number | undefined): Promise<Grants> {
    return (roleId !== undefined && (await this.roles()).get(roleId)?.grants) || nothing
  }

  async account(id: number): Promise<Account | undefined> {
    const known = this.#accounts.get(id)
    if (known) return known
    const before = this.#changes
    const account = await readAccount(this.#store, id)
    if (account && before === this.#changes) this.#accounts.set(id, account)
    return account
  }

  /**
   * Whether a login goes on. One that is not known yet may have begun in another process: only then the database is asked.
   */
  async goesOn(account: Account, session: string): Promise<boolean> {
    if (account.sessions.has(session)) return true
    this.forgetAccount(account.id)
    return (await this.account(account.id))?.sessions.has(session) === true
  }

  /** Roles or permissions changed, here or in another process. */
  forgetRoles(): void {
    this.#roles = undefined
  }

  /** A user changed; without an id, any may have. */
  forgetAccount(id?: number): void {
    this.#changes++
    if (id === undefined) this.#accounts.clear()
    else this.#accounts.delete(id)
  }

  async #loadRoles(): Promise<ReadonlyMap<number, Role>> {
    const rows = await this.#store.query(
      'select r."id", r."type", r."name", r."description", p."action" from "up_roles" r left join "up_permissions" p on p."role_id" = r."id" order by r."id", p."action"',
    )
    const found = new Map<number, Omit<Role, 'grants'> & { readonly actions: Set<string> }>()
    for (const [id, type, name, description, action] of rows as readonly (string | null)[][]) {
      const role = found.get(Number(id)) ?? {
        id: Number(id),
        type: type ?? '',
        name: name ?? '',
        description: description ?? null,
        actions: new Set(),
      }
      if (action) role.actions.add(action)
      found.set(role.id, role)
    }
    return new Map(
      [...found.values()].map(({ actions, ...role }) => {
        const declared = this.#declared.get(role.type) ?? []
        // What code says of an action is nearer to the point than the bare name in the database.
        const stored = [...actions].filter(
          (action) => !declared.some((permission) => permission.action === action),
        )
        return [
          role.id,
          { ...role, grants: grantsOf([...stored.map((action) => ({ action })), ...declared]) },
        ]
      }),
    )
  }
}

export async function readAccount(db: Queryable, id: number): Promise<Account | undefined> {
  const [row] = await db.query(
    `select "role_id", coalesce("blocked", false), coalesce("confirmed", false), coalesce("token_version", 0), (select string_agg(distinct "family", ' ') from "octavo_refresh_tokens" where "user_id" = "up_users"."id" and "expires" > now()) from "up_users" where "id" = $1::int8`,
    [id],
  )
  if (!row) return undefined
  const [roleId, blocked, confirmed, version, families] = row
  return {
    id,
    roleId: roleId == null ? undefined : Number(roleId),
    blocked: isTrue(blocked),
    confirmed: isTrue(confirmed),
    version: Number(version),
    sessions: new Set(typeof families === 'string' ? families.split(' ') : []),
  }
}

/** The engines give values as the text that PostgreSQL sends. */
export const isTrue = (value: unknown): boolean => value === true || value === 't' || value === 'true'
