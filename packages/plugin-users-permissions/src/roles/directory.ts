import { type Octavo, sql } from '@octavo/core'
import { chargedTo } from '@octavo/core/plugin'
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

/** The properties of a user that every request needs. */
export interface Account {
  readonly id: number
  readonly roleId: number | undefined
  readonly blocked: boolean
  readonly confirmed: boolean
  /** The version that valid tokens have. */
  readonly version: number
  /** The active sessions; see `TokenClaims.session`. */
  readonly sessions: ReadonlySet<string>
}

/** Maximum number of accounts in memory. */
const cachedAccounts = 10_000

const running = new WeakMap<Octavo, Directory>()

/** The roles and accounts of an octavo; `undefined` without the plugin. */
export const directoryOf = (octavo: Octavo): Directory | undefined => running.get(octavo)

/**
 * Roles and accounts in memory, until a change is announced, so that requests need no statement to identify their
 * caller.
 */
export class Directory {
  readonly #octavo: Octavo
  readonly #tables: Tables
  readonly #declared: ReadonlyMap<string, readonly Permission[]>
  #roles: Promise<ReadonlyMap<number, Role>> | undefined
  #known: ReadonlyMap<number, Role> | undefined
  /** Roles that were read before a change are not known after it. */
  #roleChanges = 0
  readonly #accounts = new LRUCache<number, Account>({ maxSize: cachedAccounts, sizeCalculation: () => 1 })
  /** The number of announced changes. A row that was read before a change must not be stored after it. */
  #changes = 0

  constructor(octavo: Octavo, tables: Tables, declared: ReadonlyMap<string, readonly Permission[]>) {
    this.#octavo = octavo
    this.#tables = tables
    this.#declared = declared
    running.set(octavo, this)
  }

  roles(): Promise<ReadonlyMap<number, Role>> {
    this.#roles ??= this.#reading()
    return this.#roles
  }

  /** The roles, where they are in memory. */
  get knownRoles(): ReadonlyMap<number, Role> | undefined {
    return this.#known
  }

  async #reading(): Promise<ReadonlyMap<number, Role>> {
    const changes = this.#roleChanges
    try {
      // For all callers: they do not wait for the turn of the first one.
      const roles = await chargedTo(undefined, () => this.#loadRoles())
      if (changes === this.#roleChanges) this.#known = roles
      return roles
    } catch (error) {
      if (changes === this.#roleChanges) this.#roles = undefined
      throw error
    }
  }

  async roleOfType(type: string): Promise<Role | undefined> {
    return ofType(await this.roles(), type)
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

  /** Reads an account from the database. */
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
   * Whether a session is active. Reads the database for a session that is not in memory: it may have begun in another process.
   */
  async isSessionActive(account: Account, session: string): Promise<boolean> {
    if (account.sessions.has(session)) return true
    this.forgetAccount(account.id)
    return (await this.account(account.id))?.sessions.has(session) === true
  }

  /** Roles or permissions changed, here or in another process. */
  forgetRoles(): void {
    this.#roleChanges++
    this.#roles = undefined
    this.#known = undefined
  }

  /** A user changed; without an id: any user. */
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
        // A declaration in code takes precedence: it can have limits, and stored names have none.
        const stored = [...(actions.get(id) ?? [])].filter(
          (action) => !declared.some((permission) => permission.action === action),
        )
        const grants = grantsOf([...stored.map((action) => ({ action })), ...declared])
        return [id, { id, type: type ?? '', name: name ?? '', description, grants }]
      }),
    )
  }
}

/** The role of a type; `undefined` without one. */
export function ofType(roles: ReadonlyMap<number, Role>, type: string): Role | undefined {
  for (const role of roles.values()) if (role.type === type) return role
  return undefined
}
