import { hash } from '@node-rs/bcrypt'
import type { Bindable, SectionHandler, Transaction } from '@octavo/core'
import { isActionName } from './action-names.ts'
import { changesChannel } from './changes.ts'
import { permissionUid, roleUid, userUid } from './content-types.ts'
import { isEmailText } from './input.ts'
import { foldName, lookOf } from './names.ts'
import { maxPasswordBytes } from './password.ts'

type Item = Readonly<Record<string, unknown>>

/** A stored password, which is taken over as it is. */
const bcryptHash = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/

/**
 * Roles with the names of what they may do: `{ id, name, description, type, permissions: ['api::article.article.find'] }`.
 * A role that is there by its type takes the file's id and permissions.
 */
export const rolesSection: SectionHandler = {
  types: [roleUid, permissionUid],
  keys: ['id', 'name', 'description', 'type', 'permissions', 'createdAt', 'updatedAt'],
  async import(items, tx) {
    for (const [i, item] of items.entries())
      await importRole(readItem(item, `roles[${i}]`), `roles[${i}]`, tx)
    await tx.query(
      `select setval(pg_get_serial_sequence('up_roles', 'id'), greatest((select max("id") from "up_roles"), 1))`,
    )
    await announce(tx)
  },
  async export(tx) {
    const rows = await tx.query(
      `select r."id", r."name", r."description", r."type", ${stamp('r."created_at"')}, ${stamp('r."updated_at"')}, coalesce((select json_agg(p."action" order by p."action") from "up_permissions" p where p."role_id" = r."id"), '[]')::text from "up_roles" r order by r."id"`,
    )
    return rows.map(([id, name, description, type, createdAt, updatedAt, permissions]) => ({
      id: Number(id),
      name,
      description: description ?? null,
      type,
      createdAt,
      updatedAt,
      permissions: JSON.parse(String(permissions)) as unknown,
    }))
  },
}

async function importRole(item: Item, at: string, tx: Transaction): Promise<void> {
  const type = text(item, 'type', at)
  const id = idOf(item, at)
  const permissions = item.permissions ?? []
  if (!Array.isArray(permissions) || permissions.some((action) => typeof action !== 'string'))
    throw new Error(`${at}.permissions must be a list of actions`)
  const bad = (permissions as readonly string[]).find((action) => !isActionName(action))
  if (bad !== undefined)
    throw new Error(
      `${at}.permissions: "${bad.slice(0, 100)}" is no action; write one as api::article.article.find`,
    )
  const values = [
    type,
    text(item, 'name', at),
    optionalText(item, 'description', at),
    date(item, 'createdAt', at),
    date(item, 'updatedAt', at),
  ]
  const [there] = await tx.query('select "id" from "up_roles" where "type" = $1', [type])
  const [taken] = await tx.query('select "type" from "up_roles" where "id" = $1::int8 and "type" <> $2', [
    id,
    type,
  ])
  if (taken) await moveRole(id, tx)
  if (there && Number(there[0]) !== id) {
    // Nothing may point to the old id at any moment: users first lose it, then get the new one.
    const users = await tx.query(
      'update "up_users" set "role_id" = null where "role_id" = $1::int8 returning "id"',
      [Number(there[0])],
    )
    await tx.query('delete from "up_permissions" where "role_id" = $1::int8', [Number(there[0])])
    await tx.query('update "up_roles" set "id" = $1::int8 where "type" = $2', [id, type])
    for (const [user] of users)
      await tx.query('update "up_users" set "role_id" = $1::int8 where "id" = $2::int8', [id, Number(user)])
  }
  await tx.query(
    `insert into "up_roles" ("id", "type", "name", "description", "created_at", "updated_at") values ($6::int8, $1, $2, $3, coalesce($4::timestamptz, now()), coalesce($5::timestamptz, now()))
     on conflict ("id") do update set "type" = excluded."type", "name" = excluded."name", "description" = excluded."description", "created_at" = excluded."created_at", "updated_at" = excluded."updated_at"`,
    [...values, id],
  )
  await tx.query('delete from "up_permissions" where "role_id" = $1::int8', [id])
  for (const action of new Set(permissions as string[])) {
    await tx.query(
      'insert into "up_permissions" ("action", "role_id", "created_at", "updated_at") values ($1, $2::int8, now(), now())',
      [action, id],
    )
  }
}

/** Has every process, this one too, forget roles and users when the import is committed. */
const announce = async (tx: Transaction): Promise<void> =>
  void (await tx.query('select pg_notify($1, $2)', [changesChannel, '{"account":0,"roles":true}']))

/** Gives another role, which has the id that the file wants, a new one. */
async function moveRole(id: number, tx: Transaction): Promise<void> {
  const [row] = await tx.query('select max("id") + 1000000 from "up_roles"')
  const free = Number(row?.[0])
  const users = await tx.query(
    'update "up_users" set "role_id" = null where "role_id" = $1::int8 returning "id"',
    [id],
  )
  const permissions = await tx.query(
    'update "up_permissions" set "role_id" = null where "role_id" = $1::int8 returning "id"',
    [id],
  )
  await tx.query('update "up_roles" set "id" = $1::int8 where "id" = $2::int8', [free, id])
  for (const [user] of users)
    await tx.query('update "up_users" set "role_id" = $1::int8 where "id" = $2::int8', [free, Number(user)])
  for (const [permission] of permissions)
    await tx.query('update "up_permissions" set "role_id" = $1::int8 where "id" = $2::int8', [
      free,
      Number(permission),
    ])
}

/**
 * Users: `{ id, username, email, provider, confirmed, blocked, role, password }`, the role by its type; the password as
 * it is typed or as a bcrypt hash. What a project added to users (attributes, media, relations) stands beside these, or in
 * `entries`.
 */
export const usersSection: SectionHandler = {
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
    for (const [i, item] of items.entries())
      await importUser(readItem(item, `users[${i}]`), `users[${i}]`, tx)
    await tx.query(
      `select setval(pg_get_serial_sequence('up_users', 'id'), greatest((select max("id") from "up_users"), 1))`,
    )
    await announce(tx)
  },
  async export(tx) {
    const rows = await tx.query(
      `select u."id", u."username", u."email", u."provider", coalesce(u."confirmed", false)::text, coalesce(u."blocked", false)::text, r."type", u."password", ${stamp('u."created_at"')}, ${stamp('u."updated_at"')} from "up_users" u left join "up_roles" r on r."id" = u."role_id" order by u."id"`,
    )
    return rows.map(
      ([id, username, email, provider, confirmed, blocked, role, password, createdAt, updatedAt]) => ({
        id: Number(id),
        username,
        email,
        provider,
        confirmed: confirmed === 'true',
        blocked: blocked === 'true',
        role,
        password,
        createdAt,
        updatedAt,
      }),
    )
  },
}

async function importUser(item: Item, at: string, tx: Transaction): Promise<void> {
  const email = text(item, 'email', at).toLowerCase()
  if (!isEmailText(email)) throw new Error(`${at}.email is no address`)
  const password = optionalText(item, 'password', at)
  if (password !== null && !bcryptHash.test(password) && Buffer.byteLength(password) > maxPasswordBytes)
    throw new Error(`${at}.password is longer than ${maxPasswordBytes} bytes`)
  const role = optionalText(item, 'role', at)
  const [found] = role === null ? [] : await tx.query('select "id" from "up_roles" where "type" = $1', [role])
  if (role !== null && !found) throw new Error(`${at}.role: there is no role of the type "${role}"`)
  const [id, username] = [idOf(item, at), text(item, 'username', at)]
  // Names that only look alike are taken as they are: people log in by them already.
  const [other] = await tx.query(
    'select "id" from "up_users" where ("username" = $1 or "email" = $2) and "id" <> $3::int8 limit 1',
    [email, foldName(username), id],
  )
  if (other)
    throw new Error(`${at}: its username or email is the email or username of the user ${Number(other[0])}`)
  const values: Bindable[] = [
    id,
    username,
    email,
    optionalText(item, 'provider', at) ?? 'local',
    password === null || bcryptHash.test(password) ? password : await hash(password, { cost: 10 }),
    item.confirmed === true,
    item.blocked === true,
    found ? Number(found[0]) : null,
    date(item, 'createdAt', at),
    date(item, 'updatedAt', at),
    lookOf(username),
  ]
  await tx.query(
    `insert into "up_users" ("id", "username", "email", "provider", "password", "confirmed", "blocked", "role_id", "created_at", "updated_at", "token_version", "username_look")
     values ($1::int8, $2, $3, $4, $5, $6::boolean, $7::boolean, $8::int8, coalesce($9::timestamptz, now()), coalesce($10::timestamptz, now()), 0, $11)
     on conflict ("id") do update set "username" = excluded."username", "email" = excluded."email", "provider" = excluded."provider", "password" = excluded."password", "confirmed" = excluded."confirmed", "blocked" = excluded."blocked", "role_id" = excluded."role_id", "created_at" = excluded."created_at", "updated_at" = excluded."updated_at", "token_version" = coalesce("up_users"."token_version", 0) + 1, "username_look" = excluded."username_look", "reset_password_token" = null, "reset_password_expires" = null, "confirmation_token" = null, "pending_email" = null`,
    values,
  )
}

const stamp = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function readItem(item: unknown, at: string): Item {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return item as Item
  throw new Error(`${at} must be an object`)
}

function idOf({ id }: Item, at: string): number {
  if (typeof id === 'number' && Number.isInteger(id) && id > 0) return id
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
