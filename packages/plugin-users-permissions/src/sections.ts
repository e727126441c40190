import { hash } from '@node-rs/bcrypt'
import {
  type Channel,
  isId,
  isObject,
  type Octavo,
  type Registry,
  type SectionHandler,
  sql,
  type Transaction,
} from '@octavo/core'
import { isActionName } from './action-names.ts'
import type { Change } from './changes.ts'
import { permissionRows, roleRows, userRows } from './content-rows.ts'
import { permissionUid, roleUid, userUid } from './content-types.ts'
import { isEmailText } from './input.ts'
import { foldName, lookOf } from './names.ts'
import { maxPasswordBytes } from './password.ts'
import { nextVersion } from './user-input.ts'

type Item = Readonly<Record<string, unknown>>

interface SectionContext {
  readonly octavo: () => Octavo
  readonly changes: () => Channel<Change>
}

/** A stored password, which is taken over as it is. */
const bcryptHash = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/

/**
 * Roles with the names of their actions: `{ id, name, description, type, permissions: ['api::article.article.find'] }`.
 * A role that is there by its type takes the file's id and permissions.
 */
export const rolesSection = ({ octavo, changes }: SectionContext): SectionHandler => ({
  types: [roleUid, permissionUid],
  keys: ['id', 'name', 'description', 'type', 'permissions', 'createdAt', 'updatedAt'],
  async import(items, tx) {
    const { registry } = octavo()
    for (const [i, item] of items.entries())
      await importRole(readItem(item, `roles[${i}]`), `roles[${i}]`, tx, registry)
    await roleRows(tx, registry).continueIds()
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

async function importRole(item: Item, at: string, tx: Transaction, registry: Registry): Promise<void> {
  const type = text(item, 'type', at)
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

/** @throws Error that names the first text that is not the name of an action. */
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

/** Gives a role another id. Its users and permissions first lose it: at no moment may they refer to an id without a role. */
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

/**
 * Users: `{ id, username, email, provider, confirmed, blocked, role, password }`, the role by its type; the password as
 * it is typed or as a bcrypt hash. What a project added to users (attributes, media, relations) stands beside these, or in
 * `entries`.
 */
export const usersSection = ({ octavo, changes }: SectionContext): SectionHandler => ({
  entriesOf: userUid,
  keys: [
    'id',
    'username',
    'email',
    'provider',
    'confirmed',
    'blocked',
    'role',
    'password',
    'createdAt',
    'updatedAt',
  ],
  async import(items, tx) {
    const { registry } = octavo()
    for (const [i, item] of items.entries())
      await importUser(readItem(item, `users[${i}]`), `users[${i}]`, tx, registry)
    await userRows(tx, registry).continueIds()
    await changes().publish({ account: 0, roles: true }, tx)
  },
  async export(tx) {
    const { registry } = octavo()
    const roles = await roleRows(tx, registry).find({ select: ['id', 'type'] })
    const typeOf = new Map(roles.map(({ id, type }) => [id, type]))
    const users = await userRows(tx, registry).find({
      select: [
        'id',
        'username',
        'email',
        'provider',
        'confirmed',
        'blocked',
        'role',
        'password',
        'createdAt',
        'updatedAt',
      ],
      orderBy: { id: 'asc' },
    })
    return users.map((user) => ({
      ...user,
      confirmed: user.confirmed === true,
      blocked: user.blocked === true,
      role: user.role === null ? null : (typeOf.get(user.role) ?? null),
    }))
  },
})

async function importUser(item: Item, at: string, tx: Transaction, registry: Registry): Promise<void> {
  const email = text(item, 'email', at).toLowerCase()
  if (!isEmailText(email)) throw new Error(`${at}.email is no address`)
  const password = optionalText(item, 'password', at)
  if (password !== null && !bcryptHash.test(password) && Buffer.byteLength(password) > maxPasswordBytes)
    throw new Error(`${at}.password is longer than ${maxPasswordBytes} bytes`)
  const role = await roleId(optionalText(item, 'role', at), at, tx, registry)
  const [id, username] = [idOf(item, at), text(item, 'username', at)]
  const users = userRows(tx, registry)
  // Names that only look alike are taken as they are: people log in by them already.
  const other = await users.first({
    where: { id: { $ne: id }, $or: [{ username: email }, { email: foldName(username) }] },
    select: ['id'],
  })
  if (other) throw new Error(`${at}: its username or email is the email or username of the user ${other.id}`)
  const row = {
    username,
    email,
    provider: optionalText(item, 'provider', at) ?? 'local',
    password: password === null || bcryptHash.test(password) ? password : await hash(password, { cost: 10 }),
    confirmed: item.confirmed === true,
    blocked: item.blocked === true,
    role,
    createdAt: date(item, 'createdAt', at) ?? sql`now()`,
    updatedAt: date(item, 'updatedAt', at) ?? sql`now()`,
    usernameLook: lookOf(username),
  }
  const replaced = await users.update({
    where: { id },
    set: {
      ...row,
      // The codes and tokens of the user who was there end.
      tokenVersion: nextVersion,
      resetPasswordToken: null,
      resetPasswordExpires: null,
      confirmationToken: null,
      pendingEmail: null,
    },
  })
  if (replaced.length === 0) await users.insert({ ...row, id, tokenVersion: 0 })
}

/** @throws Error when there is no role of the type. */
async function roleId(
  type: string | null,
  at: string,
  tx: Transaction,
  registry: Registry,
): Promise<number | null> {
  if (type === null) return null
  const role = await roleRows(tx, registry).first({ where: { type }, select: ['id'] })
  if (!role) throw new Error(`${at}.role: there is no role of the type "${type}"`)
  return role.id
}

function readItem(item: unknown, at: string): Item {
  if (isObject(item)) return item
  throw new Error(`${at} must be an object`)
}

function idOf({ id }: Item, at: string): number {
  if (isId(id)) return id
  throw new Error(`${at}.id must be a whole number from 1`)
}

function text(item: Item, name: string, at: string): string {
  const value = item[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`${at}.${name} must be a text`)
}

function optionalText(item: Item, name: string, at: string): string | null {
  const value = item[name]
  if (value === undefined || value === null) return null
  return text(item, name, at)
}

function date(item: Item, name: string, at: string): string | null {
  const value = optionalText(item, name, at)
  if (value !== null && Number.isNaN(Date.parse(value))) throw new Error(`${at}.${name} must be an ISO date`)
  return value
}
