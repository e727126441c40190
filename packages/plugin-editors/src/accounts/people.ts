import { type Octavo, type Queryable, sql, type Transaction } from '@octavo/core'
import type { VersionCheck } from '@octavo/server'
import { problem } from '../problems.ts'
import type { Right } from '../rights/right.ts'
import { changePeople, given, newTimes, requireCovered, requireManager } from './changes.ts'
import type { Identities } from './identities.ts'
import type { Links, MadeLink } from './links.ts'
import { hashPassword } from './password.ts'
import { type Person, readPeople } from './read-people.ts'
import { editorRows, rightsOf, roleRows, rolesOf, setRoles, unknownRole } from './rows.ts'
import type { SecondFactors } from './second-factor.ts'
import type { Session, Sessions } from './sessions.ts'

/** The values that a change of a person sets; absent ones stay. */
export interface PersonInput {
  readonly email?: string | undefined
  readonly firstname?: string | null | undefined
  readonly lastname?: string | null | undefined
  readonly language?: string | null | undefined
  readonly active?: boolean | undefined
  readonly roles?: readonly number[] | undefined
}

/** A person without an invitation. */
interface NewPerson {
  readonly email: string
  readonly firstname?: string | undefined
  readonly lastname?: string | undefined
}

/** The role that the first editor gets. */
export const firstRole = { name: 'Super Admin', rights: [{ action: 'everything' }] } as const satisfies {
  name: string
  rights: readonly Right[]
}

interface Parts {
  readonly octavo: Octavo
  readonly links: Links
  readonly sessions: Sessions
  readonly secondFactors: SecondFactors
  readonly identities: Identities
}

/** The people who write the content. */
export class People {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  list(): Promise<readonly Person[]> {
    return readPeople(this.#parts.octavo.store, this.#parts)
  }

  /** @throws NotFoundError */
  async one(id: number, db: Queryable = this.#parts.octavo.store): Promise<Person> {
    const [person] = await readPeople(db, this.#parts, id)
    if (!person) throw problem('desk/not-found')
    return person
  }

  /** Invites a person. @param by The rights of who invites. @throws ForbiddenError, ApplicationError */
  async invite(
    input: PersonInput & { readonly email: string },
    by: readonly Right[],
  ): Promise<MadeLink & { readonly id: number }> {
    return changePeople(this.#parts.octavo, async (tx) => {
      const { registry } = this.#parts.octavo
      await this.#requireGiven(tx, input.roles ?? [], by)
      await this.#requireFree(tx, input.email, 0)
      const { roles = [], ...values } = input
      const [row] = await editorRows(tx, registry).insert(
        { active: true, ...given(values), email: input.email, ...newTimes },
        { returning: ['id'] },
      )
      const id = row?.id as number // one row was inserted
      await setRoles(tx, registry, id, roles)
      return { id, ...(await this.#parts.links.make(tx, 'invitation', id)) }
    })
  }

  /** Makes a new link for a person, who may then set a password. @throws ForbiddenError for a person with further rights */
  async link(id: number, by: readonly Right[]): Promise<MadeLink> {
    return changePeople(this.#parts.octavo, async (tx) => {
      await this.#requireBelow(tx, id, by)
      return this.#parts.links.make(tx, 'invitation', id)
    })
  }

  /**
   * @param check Checks the version of the changed person.
   * @throws ForbiddenError, ApplicationError, NotFoundError
   */
  async update(
    id: number,
    { roles, ...values }: PersonInput,
    by: readonly Right[],
    check?: VersionCheck,
  ): Promise<void> {
    const { registry } = this.#parts.octavo
    await changePeople(this.#parts.octavo, async (tx) => {
      check?.(JSON.stringify(await this.one(id, tx)))
      await this.#requireBelow(tx, id, by)
      if (values.email !== undefined) await this.#requireFree(tx, values.email, id)
      if (roles) {
        const before = new Set((await rolesOf(tx, registry, [id])).get(id))
        await this.#requireGiven(
          tx,
          roles.filter((role) => !before.has(role)),
          by,
        )
        await setRoles(tx, registry, id, roles)
      }
      const set = given(values)
      await editorRows(tx, registry).update({ where: { id }, set: { ...set, updatedAt: sql`now()` } })
      // Links were sent to the former address.
      if (values.active === false || values.email !== undefined) await this.#parts.links.end(tx, id)
      if (values.active === false) await this.#parts.sessions.endAll(id, tx)
      await requireManager(tx, this.#parts.octavo.registry)
    })
  }

  /** @param check As that of {@link update}. */
  async remove(id: number, by: readonly Right[], check?: VersionCheck): Promise<void> {
    await changePeople(this.#parts.octavo, async (tx) => {
      check?.(JSON.stringify(await this.one(id, tx)))
      await this.#requireBelow(tx, id, by)
      await this.#parts.sessions.endAll(id, tx)
      await this.#parts.links.end(tx, id)
      await this.#parts.secondFactors.end(id, tx)
      await editorRows(tx, this.#parts.octavo.registry).delete({ where: { id } })
      await requireManager(tx, this.#parts.octavo.registry)
    })
  }

  /** Turns off the second factor of somebody who lost it. @throws ForbiddenError for a person with further rights */
  async endSecondFactor(id: number, by: readonly Right[]): Promise<void> {
    await changePeople(this.#parts.octavo, async (tx) => {
      await this.#requireBelow(tx, id, by)
      await this.#parts.secondFactors.end(id, tx)
    })
  }

  /** Turns off the second factor of a person and makes a link to set a password. @throws NotFoundError that names the address */
  async reset(email: string): Promise<MadeLink> {
    return changePeople(this.#parts.octavo, async (tx) => {
      const row = await editorRows(tx, this.#parts.octavo.registry).first({
        where: { email },
        select: ['id'],
      })
      if (!row) throw problem('desk/unknown-editor', { email })
      await this.#parts.secondFactors.end(row.id, tx)
      return this.#parts.links.make(tx, 'invitation', row.id)
    })
  }

  /** Whether somebody has an address. @param email In its stored form. */
  async has(email: string): Promise<boolean> {
    const { store, registry } = this.#parts.octavo
    return (await editorRows(store, registry).first({ where: { email }, select: ['id'] })) !== undefined
  }

  /** Creates a person without anybody's rights: the first editor, and those of the command line. */
  async create(
    { email, ...names }: NewPerson,
    role: string,
    password?: string,
  ): Promise<MadeLink & { readonly id: number }> {
    return changePeople(this.#parts.octavo, (tx) => this.#create(tx, { email, ...names }, role, password))
  }

  /** Creates the first editor with the link of the first start. @throws ValidationError without a valid link */
  async createFirst(token: string, person: NewPerson, password: string): Promise<number> {
    return changePeople(this.#parts.octavo, async (tx) => {
      const { registry } = this.#parts.octavo
      const taken = await this.#parts.links.take(tx, token)
      const isFirst = (await editorRows(tx, registry).count()) === 0
      if (!taken || taken.editorId !== null || !isFirst) throw problem('desk/bad-link')
      const { id } = await this.#create(tx, person, firstRole.name, password)
      await this.#parts.links.end(tx, id)
      return id
    })
  }

  async #create(
    tx: Transaction,
    person: NewPerson,
    roleName: string,
    password: string | undefined,
  ): Promise<MadeLink & { readonly id: number }> {
    const { registry } = this.#parts.octavo
    await this.#requireFree(tx, person.email, 0)
    const role = await this.#roleNamed(tx, roleName)
    const [row] = await editorRows(tx, registry).insert(
      {
        email: person.email,
        firstname: person.firstname ?? null,
        lastname: person.lastname ?? null,
        active: true,
        password: password === undefined ? null : await hashPassword(password),
        ...newTimes,
      },
      { returning: ['id'] },
    )
    const id = row?.id as number // one row was inserted
    await setRoles(tx, registry, id, [role])
    await this.#parts.links.end(tx, null)
    return { id, ...(await this.#parts.links.make(tx, 'invitation', id)) }
  }

  async #roleNamed(tx: Transaction, name: string): Promise<number> {
    const rows = roleRows(tx, this.#parts.octavo.registry)
    const role = await rows.first({ where: { name }, select: ['id'] })
    if (role) return role.id
    if (name !== firstRole.name) throw await unknownRole(rows, name, firstRole.name)
    const [made] = await rows.insert({ ...firstRole, ...newTimes }, { returning: ['id'] })
    return made?.id as number // one row was inserted
  }

  /** Sets a password with a link, which ends all sessions and links of the person. @throws ValidationError */
  async accept(token: string, password: string): Promise<void> {
    const hash = await hashPassword(password)
    await changePeople(this.#parts.octavo, async (tx) => {
      const taken = await this.#parts.links.take(tx, token)
      if (!taken || taken.editorId === null) throw problem('desk/bad-link')
      const rows = editorRows(tx, this.#parts.octavo.registry)
      const set = { password: hash, updatedAt: sql`now()` }
      const where = { id: taken.editorId, active: true }
      const changed = await rows.update({ where, set, returning: ['id'] })
      if (changed.length === 0) throw problem('desk/bad-link')
      await this.#parts.sessions.endAll(taken.editorId, tx)
    })
  }

  /** Sets a password in place of that of a session, which was checked. Other sessions end. @throws ValidationError when it was changed meanwhile */
  async setPassword({ id: session, editor }: Session, password: string): Promise<void> {
    const hash = await hashPassword(password)
    const { id, password: former } = editor
    await changePeople(this.#parts.octavo, async (tx) => {
      const rows = editorRows(tx, this.#parts.octavo.registry)
      const set = { password: hash, updatedAt: sql`now()` }
      const changed = await rows.update({ where: { id, password: former }, set, returning: ['id'] })
      if (changed.length === 0) throw problem('desk/bad-credentials')
      await this.#parts.links.end(tx, id)
      await this.#parts.sessions.endAll(id, tx, session)
    })
  }

  /** Roles that are given have no right that the giver does not have. */
  async #requireGiven(tx: Transaction, ids: readonly number[], by: readonly Right[]): Promise<void> {
    if (ids.length === 0) return
    const roles = await roleRows(tx, this.#parts.octavo.registry).find({ where: { id: ids } })
    if (roles.length < new Set(ids).size) throw problem('desk/not-found')
    requireCovered(
      by,
      roles.flatMap(({ rights }) => rights ?? []),
    )
  }

  /** Requires all rights of a person from the one who changes its address or password, and could then act as that person. */
  async #requireBelow(tx: Transaction, id: number, by: readonly Right[]): Promise<void> {
    const { registry } = this.#parts.octavo
    const person = await editorRows(tx, registry).first({ where: { id }, select: ['id'] })
    if (!person) throw problem('desk/not-found')
    requireCovered(
      by,
      (await rightsOf(tx, registry, id)).flatMap(({ rights }) => rights),
    )
  }

  async #requireFree(tx: Transaction, email: string, id: number): Promise<void> {
    const rows = editorRows(tx, this.#parts.octavo.registry)
    const other = await rows.first({ where: { email, id: { $ne: id } }, select: ['id'] })
    if (other) throw problem('desk/taken', { message: 'There is already a person with this address' })
  }
}
