import { type Octavo, sql } from '@octavo/core'
import type { VersionCheck } from '@octavo/server'
import { problem } from '../problems.ts'
import { unreadableIn } from '../rights/conditions.ts'
import { isContentRight, type Right, rightText } from '../rights/right.ts'
import { changePeople, given, newTimes, requireCovered, requireManager } from './changes.ts'
import { membersOf, type RoleRow, roleRows } from './rows.ts'

/** The values that a change of a role sets; absent values stay. */
export interface RoleInput {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly rights?: readonly Right[] | undefined
}

/** A role as answers have it. */
type Role = Omit<RoleRow, 'rights'> & { readonly rights: readonly Right[] }

const shown = (row: RoleRow): Role => ({ ...row, rights: row.rights ?? [] })

/** Roles, with their rights. */
export class Roles {
  readonly #octavo: Octavo

  constructor(octavo: Octavo) {
    this.#octavo = octavo
  }

  async list(id?: number) {
    const { store, registry } = this.#octavo
    const rows = await roleRows(store, registry).find({
      ...(id !== undefined && { where: { id } }),
      orderBy: { id: 'asc' },
    })
    return rows.map(shown)
  }

  /**
   * Creates or changes a role. Its former and its new rights must be among those of the person who changes it.
   * @param check Checks the version of the changed role.
   */
  async save(
    id: number | undefined,
    input: RoleInput,
    by: readonly Right[],
    check?: VersionCheck,
  ): Promise<Role> {
    return changePeople(this.#octavo, async (tx) => {
      const rows = roleRows(tx, this.#octavo.registry)
      const present = async (of: number) => shown((await rows.first({ where: { id: of } })) as RoleRow) // the lock keeps it there
      const former = id === undefined ? undefined : await rows.first({ where: { id } })
      if (id !== undefined && !former) throw problem('desk/not-found')
      check?.(former && JSON.stringify(shown(former)))
      requireCovered(by, [...(former?.rights ?? []), ...(input.rights ?? [])])
      const had = new Set((former?.rights ?? []).map((right) => JSON.stringify(right)))
      for (const right of input.rights ?? [])
        if (!had.has(JSON.stringify(right))) this.#requireReadable(right, by)
      if (input.name !== undefined) {
        const other = await rows.first({ where: { name: input.name, id: { $ne: id ?? 0 } }, select: ['id'] })
        if (other) throw problem('desk/taken', { message: 'There is already a role of this name' })
      }
      const set = given(input)
      if (id === undefined) {
        const [made] = await rows.insert({ ...set, ...newTimes }, { returning: ['id'] })
        return present(made?.id as number) // one row was inserted
      }
      await rows.update({ where: { id }, set: { ...set, updatedAt: sql`now()` } })
      await requireManager(tx, this.#octavo.registry)
      return present(id)
    })
  }

  /** @throws ForbiddenError for a condition on values that the giver may not read */
  #requireReadable(right: Right, by: readonly Right[]): void {
    const path = isContentRight(right) ? unreadableIn(right, by, this.#octavo.registry) : undefined
    if (path !== undefined)
      throw problem('desk/more-than-own', { right: `${rightText(right)}, as its condition reads ${path}` })
  }

  /** @param check As that of {@link save}. */
  async remove(id: number, by: readonly Right[], check?: VersionCheck): Promise<void> {
    await changePeople(this.#octavo, async (tx) => {
      const role = await roleRows(tx, this.#octavo.registry).first({ where: { id } })
      if (!role) throw problem('desk/not-found')
      check?.(JSON.stringify(shown(role)))
      requireCovered(by, role.rights ?? [])
      const members = await membersOf(tx, this.#octavo.registry, id)
      if (members.length > 0) throw problem('desk/taken', { message: 'People have this role' })
      await roleRows(tx, this.#octavo.registry).delete({ where: { id } })
    })
  }
}
