import { type Octavo, sql } from '@octavo/core'
import { LRUCache } from 'lru-cache'
import { permissionRows, roleRows, userRows } from '../content-rows.ts'
import { type Grants, grantsOf, nothing, type Permission } from '../rights/grants.ts'
import type { Tables } from '../tables.ts'

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
  readonly #octavo: Octavo
  readonly #tables: Tables
  readonly #declared: ReadonlyMap<string, readonly Permission[]>
  #roles: Promise<ReadonlyMap<number, Role>> | undefined
  readonly #accounts = new LRUCache<number, Account>({ max: keptAccounts })
  /** Counts the changes that were heard of: what was read before one must not be kept after it. */
  #changes = 0

  constructor(octavo: Octavo, tables: Tables, declared: ReadonlyMap<string, readonly Permission[]>) {
    this.#octavo = octavo
    this.#tables = tables
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
    const account = await this.readAccount(id)
    if (account && before === this.#changes) this.#accounts.set(id, account)
    return account
  }

  /** An account as the database has it now. */
  async readAccount(id: number): Promise<Account | undefined> {
    const { store, registry } = this.#octavo
    const user = await userRows(store, registry).first({
      where: { id },
      select: ['role', 'blocked', 'confirmed', 'tokenVersion'],
    })
    if (!user) return undefined
    const logins = await store.rows(this.#tables.refreshTokens).find({
      where: { user_id: id, expires: { $gt: sql`now()` } },
      select: ['family'],
    })
    return {
      id,
      roleId: user.role ?? undefined,
      blocked: user.blocked === true,
      confirmed: user.confirmed === true,
      version: user.tokenVersion ?? 0,
      sessions: new Set(logins.map(({ family }) => family)),
    }
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
    const { store, registry } = this.#octavo
    const roles = await roleRows(store, registry).find({
      select: ['id', 'type', 'name', 'description'],
      orderBy: { id: 'asc' },
    })
    const permissions = await permissionRows(store, registry).find({ select: ['role', 'action'] })
    const actions = new Map<number | null, Set<string>>()
    for (const { role, action } of permissions)
      if (action !== null) actions.set(role, (actions.get(role) ?? new Set()).add(action))
    return new Map(
      roles.map(({ id, type, name, description }) => {
        const declared = this.#declared.get(type ?? '') ?? []
        // A declaration in code can have limits, which the bare name in the database has not.
        const stored = [...(actions.get(id) ?? [])].filter(
          (action) => !declared.some((permission) => permission.action === action),
        )
        const grants = grantsOf([...stored.map((action) => ({ action })), ...declared])
        return [id, { id, type: type ?? '', name: name ?? '', description, grants }]
      }),
    )
  }
}
