import { type Octavo, type OctavoError, sql } from '@octavo/core'
import { readId } from '@octavo/core/plugin'
import type { RouteContext } from '@octavo/server'
import { permissionRows, type RoleRow, roleRows, userRows } from '../content-rows.ts'
import { permissionUid, roleUid, userUid } from '../content-types.ts'
import { readTexts } from '../input/input.ts'
import { bodyOf, send } from '../input/request.ts'
import { problem } from '../problems.ts'
import { nothing } from '../rights/grants.ts'
import type { Tools } from '../tools.ts'
import { nextVersion } from '../users/user-input.ts'
import { readTree, tree } from './role-tree.ts'

const notFound = (): OctavoError => problem('role/not-found')

export async function find(context: RouteContext, { service }: Tools): Promise<void> {
  const { store, registry } = service.octavo
  const roles = await roleRows(store, registry).find({ orderBy: { id: 'asc' } })
  const counts = await countUsers(service.octavo)
  send(context, { roles: roles.map((role) => ({ ...roleOf(role), nb_users: counts.get(role.id) ?? 0 })) })
}

/** The number of users of each role, by its id. */
async function countUsers({ store, registry }: Octavo): Promise<ReadonlyMap<number, number>> {
  const users = registry.contentType(userUid)
  const role = users.attributes.get('role')
  if (role?.kind !== 'relation' || role.storage.kind !== 'own') throw new Error('A user has one role')
  const key = sql.id(role.storage.column)
  const rows = await store.run(
    sql`select ${key} as "role", count(*) as "users" from ${sql.id(users.table)} group by ${key}`,
  )
  return new Map(rows.map((row) => [Number(row.role), Number(row.users)]))
}

export async function findOne(context: RouteContext, { service, actions }: Tools): Promise<void> {
  const id = roleId(context)
  const { store, registry } = service.octavo
  const row = await roleRows(store, registry).first({ where: { id } })
  const role = (await service.directory.roles()).get(id)
  if (!row || !role) throw notFound()
  send(context, {
    role: {
      ...roleOf(row),
      permissions: tree(service, actions(), role.grants),
    },
  })
}

export async function permissions(context: RouteContext, { service, actions }: Tools): Promise<void> {
  send(context, { permissions: tree(service, actions(), nothing) })
}

export async function create(context: RouteContext, { service, ownState, actions }: Tools): Promise<void> {
  const body = bodyOf(context)
  const { name, description } = readTexts(body, { name: { min: 3 }, description: { required: false } })
  const enabled = readTree(body, isKnownTo(service.octavo, actions()))
  const type = typeOf(name)
  if (await service.directory.roleOfType(type)) throw problem('role/taken')
  await service.octavo.transaction(async (tx) => {
    const role = await tx.entries(roleUid).create({ name, type, description: description ?? null })
    for (const action of enabled ?? []) await tx.entries(permissionUid).create({ action, role: role.id })
  }, ownState)
  send(context, { ok: true })
}

/** The type of a new role: `Éditeur en chef 2` is `editeur_en_chef_2`, as in the reference server. */
function typeOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\p{M}'’]/gu, '')
  return plain.match(/\p{L}+|\d+/gu)?.join('_') ?? '_'
}

export async function update(context: RouteContext, { service, ownState, actions }: Tools): Promise<void> {
  const id = roleId(context)
  const body = bodyOf(context)
  const { name, description } = readTexts(body, {
    name: { required: false, min: 3 },
    description: { required: false },
  })
  const role = (await service.directory.roles()).get(id)
  if (!role) throw notFound()
  const exists = isKnownTo(service.octavo, actions())
  const enabled = readTree(body, (action) => exists(action) || role.grants.of(action) !== undefined)
  const { store, registry } = service.octavo
  const before = await permissionRows(store, registry).find({ where: { role: id }, select: ['id', 'action'] })
  await service.octavo.transaction(async (tx) => {
    await tx
      .entries(roleUid)
      .update(id, { ...(name !== undefined && { name }), ...(description !== undefined && { description }) })
    if (!enabled) return
    for (const permission of before)
      if (!enabled.has(permission.action ?? '')) await tx.entries(permissionUid).delete(permission.id)
    const existing = new Set(before.map(({ action }) => action))
    for (const action of enabled)
      if (!existing.has(action)) await tx.entries(permissionUid).create({ action, role: id })
  }, ownState)
  send(context, { ok: true })
}

/** Users of the role get the role `public`. */
export async function destroy(context: RouteContext, { service, ownState }: Tools): Promise<void> {
  const id = roleId(context)
  const role = (await service.directory.roles()).get(id)
  const other = await service.directory.roleOfType('public')
  if (!role || !other) throw notFound()
  if (role.type === 'public' || role.type === 'authenticated')
    throw problem('role/needed', { type: role.type })
  await service.octavo.transaction(async (tx) => {
    await tx.entries(roleUid).update(other.id, {})
    await tx.entries(roleUid).delete(id)
  }, ownState)
  const { store, registry } = service.octavo
  await userRows(store, registry).update({
    where: { role: null },
    set: { role: other.id, tokenVersion: nextVersion },
  })
  await permissionRows(store, registry).delete({ where: { role: null } })
  await service.announce({ account: 0, roles: true })
  send(context, { ok: true })
}

/** Whether an action exists: one that a plugin or a content-type has, or a route requires. */
function isKnownTo({ actions }: Octavo, ofRoutes: readonly string[]): (action: string) => boolean {
  const routes = new Set(ofRoutes)
  return (action) => actions.has(action) || routes.has(action)
}

const roleOf = ({ id, name, description, type, createdAt, updatedAt }: RoleRow) => ({
  id,
  name,
  description,
  type,
  createdAt,
  updatedAt,
})

/** @throws NotFoundError for text that cannot be an id. */
function roleId(context: RouteContext): number {
  const id = readId(context.params.id)
  if (id === undefined) throw notFound()
  return id
}
