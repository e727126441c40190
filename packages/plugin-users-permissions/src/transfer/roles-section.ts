import { sql, type Transaction } from '@octavo/core'
import { importItems, type Registry, type SectionHandler } from '@octavo/core/plugin'
import { permissionRows, roleRows, userRows } from '../content-rows.ts'
import { permissionUid, roleUid } from '../content-types.ts'
import { isActionName } from '../rights/action-names.ts'
import { date, type Item, idOf, optionalText, readItem, type SectionContext, text } from './items.ts'

/**
 * Roles with the names of their actions: `{ id, name, description, type, permissions: ['api::article.article.find'] }`.
 * An existing role of the same type gets the id and the permissions of the file.
 */
export const rolesSection = ({ octavo, changes }: SectionContext): SectionHandler => ({
  types: [roleUid, permissionUid],
  keys: ['id', 'name', 'description', 'type', 'permissions', 'createdAt', 'updatedAt'],
  async import(items, tx) {
    const { registry } = octavo()
    const places = new Map<string, string>()
    await importItems('roles', items, roleRows(tx, registry), async (given, at) => {
      const item = readItem(given, at)
      const type = text(item, 'type', at)
      const first = places.get(type)
      if (first !== undefined)
        throw new Error(`${at}.type: ${first} is the role of the type "${type}", and there is one`)
      places.set(type, at)
      await importRole(item, type, at, tx, registry)
    })
    await changes().publish({ account: 0, roles: true }, tx)
  },
  async export(tx) {
    const { registry } = octavo()
    const roles = await roleRows(tx, registry).find({
      select: ['id', 'name', 'description', 'type', 'createdAt', 'updatedAt'],
      orderBy: { id: 'asc' },
    })
    const permissions = await permissionRows(tx, registry).find({
      select: ['role', 'action'],
      orderBy: { action: 'asc' },
    })
    const actionsOf = Map.groupBy(permissions, ({ role }) => role)
    return roles.map((role) => ({
      ...role,
      permissions: (actionsOf.get(role.id) ?? []).map(({ action }) => action),
    }))
  },
})

async function importRole(
  item: Item,
  type: string,
  at: string,
  tx: Transaction,
  registry: Registry,
): Promise<void> {
  const id = idOf(item, at)
  const actions = actionsOf(item, at)
  const row = {
    id,
    type,
    name: text(item, 'name', at),
    description: optionalText(item, 'description', at),
    createdAt: date(item, 'createdAt', at) ?? sql`now()`,
    updatedAt: date(item, 'updatedAt', at) ?? sql`now()`,
  }
  const roles = roleRows(tx, registry)
  const permissions = permissionRows(tx, registry)
  if (await roles.first({ where: { id, type: { $ne: type } }, select: ['id'] })) {
    const last = await roles.first({ select: ['id'], orderBy: { id: 'desc' } })
    await renumberRole(id, (last?.id ?? id) + 1_000_000, tx, registry)
  }
  const there = await roles.first({ where: { type }, select: ['id'] })
  if (there && there.id !== id) await renumberRole(there.id, id, tx, registry)
  await roles.insert(row, {
    onConflict: { on: ['id'], set: ['type', 'name', 'description', 'createdAt', 'updatedAt'] },
  })
  await permissions.delete({ where: { role: id } })
  await permissions.insert(
    [...actions].map((action) => ({ action, role: id, createdAt: sql`now()`, updatedAt: sql`now()` })),
  )
}

/** @throws Error with the first text that is not the name of an action. */
function actionsOf({ permissions = [] }: Item, at: string): ReadonlySet<string> {
  const list: unknown = permissions ?? []
  if (!Array.isArray(list) || !list.every((action) => typeof action === 'string'))
    throw new Error(`${at}.permissions must be a list of actions`)
  const bad = list.find((action) => !isActionName(action))
  if (bad !== undefined)
    throw new Error(
      `${at}.permissions: "${bad.slice(0, 100)}" is no action; write one as api::article.article.find`,
    )
  return new Set(list)
}

/** Changes the id of a role. Its users and permissions are detached first, since a foreign key must have a target. */
async function renumberRole(from: number, to: number, tx: Transaction, registry: Registry): Promise<void> {
  const lose = { where: { role: from }, set: { role: null }, returning: ['id'] } as const
  const users = await userRows(tx, registry).update(lose)
  const permissions = await permissionRows(tx, registry).update(lose)
  await roleRows(tx, registry).update({ where: { id: from }, set: { id: to } })
  await userRows(tx, registry).update({ where: { id: users.map(({ id }) => id) }, set: { role: to } })
  await permissionRows(tx, registry).update({
    where: { id: permissions.map(({ id }) => id) },
    set: { role: to },
  })
}
