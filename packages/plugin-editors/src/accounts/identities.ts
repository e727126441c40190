import type { Octavo, Queryable, Transaction } from '@octavo/core'
import type { OpenIdOptions } from '../options.ts'
import { problem } from '../problems.ts'
import { isContentRight } from '../rights/right.ts'
import type { Tables } from '../tables.ts'
import { changePeople, newTimes, requireManager } from './changes.ts'
import type { Profile } from './issuer.ts'
import type { Links } from './links.ts'
import { editorRows, roleRows, rolesOf, setRoles } from './rows.ts'
import { hashSecret } from './secret.ts'

interface Parts {
  readonly octavo: Octavo
  readonly table: Tables['identities']
  readonly links: Links
}

const noAccount = () => problem('desk/no-account')

/** The people whom accounts of the issuer belong to. */
export class Identities {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The people with an account of the issuer. */
  async people(db: Queryable): Promise<ReadonlySet<number>> {
    const rows = await db.rows(this.#parts.table).find({ select: ['editor_id'] })
    return new Set(rows.map(({ editor_id }) => editor_id))
  }

  /**
   * The person of a profile: the person who signed in with it before, the person with its verified address, or a new person if the options
   * allow it. The roles that the options name follow the claim.
   *
   * @returns the id
   * @throws ForbiddenError `desk/no-account`; ApplicationError when nobody could manage roles any more
   */
  async signIn(profile: Profile, options: OpenIdOptions): Promise<number> {
    return changePeople(this.#parts.octavo, async (tx) => {
      const wanted = await this.#rolesOf(tx, profile, options)
      const known = (await this.#known(tx, profile)) ?? (await this.#link(tx, profile))
      if (known === undefined) return this.#create(tx, profile, options, wanted.given)
      const { registry } = this.#parts.octavo
      const active = await editorRows(tx, registry).count({ id: known, active: true })
      if (active === 0) throw noAccount()
      const before = (await rolesOf(tx, registry, [known])).get(known) ?? []
      const after = [...new Set([...before.filter((id) => !wanted.managed.has(id)), ...wanted.given])]
      if (after.length !== before.length || after.some((id) => !before.includes(id))) {
        await setRoles(tx, registry, known, after)
        await requireManager(tx, registry)
      }
      return known
    })
  }

  #hash = ({ issuer, subject }: Profile): string => hashSecret(JSON.stringify([issuer, subject]))

  async #known(tx: Transaction, profile: Profile): Promise<number | undefined> {
    const rows = tx.rows(this.#parts.table)
    const row = await rows.first({ where: { hash: this.#hash(profile) }, select: ['editor_id'] })
    return row?.editor_id
  }

  /** Links the person with a verified address. A person has one account of the issuer: another one does not take its place. */
  async #link(tx: Transaction, profile: Profile): Promise<number | undefined> {
    if (profile.email === undefined) throw noAccount()
    const { registry } = this.#parts.octavo
    const rows = editorRows(tx, registry)
    const person = await rows.first({ where: { email: profile.email }, select: ['id', 'active'] })
    if (!person) return undefined
    const linked = await tx.rows(this.#parts.table).count({ editor_id: person.id })
    if (linked > 0 || person.active !== true) throw noAccount()
    await this.#add(tx, profile, person.id)
    // The person has come in; an invitation that somebody else has kept would set a password.
    await this.#parts.links.end(tx, person.id)
    return person.id
  }

  async #add(tx: Transaction, profile: Profile, id: number): Promise<void> {
    await tx.rows(this.#parts.table).insert({ hash: this.#hash(profile), editor_id: id })
  }

  async #create(
    tx: Transaction,
    profile: Profile,
    { create = false }: OpenIdOptions,
    given: readonly number[],
  ): Promise<number> {
    const role = typeof create === 'object' ? await this.#roleForAll(tx, create.role) : []
    const roles = [...given, ...role]
    if (create === false || roles.length === 0 || profile.email === undefined) throw noAccount()
    const { registry } = this.#parts.octavo
    const [row] = await editorRows(tx, registry).insert(
      {
        email: profile.email,
        firstname: profile.firstname ?? null,
        lastname: profile.lastname ?? null,
        active: true,
        ...newTimes,
      },
      { returning: ['id'] },
    )
    const id = row?.id as number // one row was inserted
    await setRoles(tx, registry, id, roles)
    await this.#add(tx, profile, id)
    return id
  }

  /** The default role has rights on content only, so that no person becomes an administrator by default. */
  async #roleForAll(tx: Transaction, name: string): Promise<readonly number[]> {
    const role = await roleRows(tx, this.#parts.octavo.registry).first({ where: { name } })
    if (!role || !(role.rights ?? []).every(isContentRight))
      throw new Error(`openId.create.role: there is no role "${name}" with rights on content only`)
    return [role.id]
  }

  /** The roles that the claim manages, and those that it gives to a person. A name that no role has gives nothing. */
  async #rolesOf(tx: Transaction, { groups }: Profile, { roles }: OpenIdOptions) {
    const names = new Map(Object.entries(roles?.names ?? {}))
    const rows = await roleRows(tx, this.#parts.octavo.registry).find({ select: ['id', 'name'] })
    const idsOf = (wanted: ReadonlySet<string>): readonly number[] =>
      rows.filter(({ name }) => name !== null && wanted.has(name)).map(({ id }) => id)
    return {
      managed: new Set(idsOf(new Set([...names.values()].flat()))),
      given: idsOf(new Set(groups.flatMap((group) => names.get(group) ?? []))),
    }
  }
}
