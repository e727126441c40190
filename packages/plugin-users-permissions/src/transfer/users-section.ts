import { type Octavo, sql, type Transaction } from '@octavo/core'
import { foldEmail, isObject } from '@octavo/core/internal'
import { importItems, type Registry, type SectionHandler } from '@octavo/core/plugin'
import { roleRows, userRows } from '../content-rows.ts'
import { userUid } from '../content-types.ts'
import { isEmailText } from '../input/input.ts'
import { foldName } from '../input/names.ts'
import { maxPasswordBytes } from '../input/password.ts'
import { nextVersion } from '../users/user-input.ts'
import { lookColumns } from '../users/username-looks.ts'
import {
  date,
  flag,
  type Item,
  idOf,
  optionalText,
  readItem,
  type SectionContext,
  textOrNull,
} from './items.ts'

/** The form of a stored password, which is imported unchanged. */
const bcryptHash = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/

const columns = [
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
] as const

/**
 * Users: `{ id, username, email, provider, confirmed, blocked, role, password }`, the role by its type; the password in plain
 * text or as a bcrypt hash. The attributes that a project adds to users (media and relations included) are further keys, or
 * are in `entries`.
 */
export const usersSection = ({ octavo, changes }: SectionContext): SectionHandler => ({
  entriesOf: userUid,
  keys: columns,
  async import(items, tx) {
    const { registry, logger } = octavo()
    const ids = new Set(items.map((item) => (isObject(item) ? item.id : undefined)))
    await importItems('users', items, userRows(tx, registry), async (item, at) =>
      importUser(readItem(item, at), at, tx, { registry, logger, ids }),
    )
    await changes().publish({ account: 0, roles: true }, tx)
  },
  async export(tx) {
    const { registry } = octavo()
    const roles = await roleRows(tx, registry).find({ select: ['id', 'type'] })
    const typeOf = new Map(roles.map(({ id, type }) => [id, type]))
    const users = await userRows(tx, registry).find({
      select: columns,
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

interface UsersImport extends Pick<Octavo, 'registry' | 'logger'> {
  /** The ids of all users of the file. */
  readonly ids: ReadonlySet<unknown>
}

/**
 * Imports a user as an export has it: an import from Strapi takes users whom a route would refuse, and a backup must give them back. Two of one
 * file may therefore have each other's address as a name; no user gets the address of a user who existed before.
 */
async function importUser(
  item: Item,
  at: string,
  tx: Transaction,
  { registry, logger, ids }: UsersImport,
): Promise<void> {
  const [givenEmail, username] = [textOrNull(item, 'email', at), textOrNull(item, 'username', at)]
  const email = givenEmail === null ? null : foldEmail(givenEmail)
  if (email !== null && !isEmailText(email)) throw new Error(`${at}.email is no address`)
  const password = optionalText(item, 'password', at)
  if (password !== null && !bcryptHash.test(password) && Buffer.byteLength(password) > maxPasswordBytes)
    throw new Error(`${at}.password is longer than ${maxPasswordBytes} bytes`)
  const role = await roleId(optionalText(item, 'role', at), at, tx, registry)
  const id = idOf(item, at)
  const users = userRows(tx, registry)
  // Names with the same look are imported unchanged: their users log in with them.
  const alike = [
    ...(email === null ? [] : [{ username: email }]),
    ...(username === null ? [] : [{ email: foldName(username) }]),
  ]
  const other =
    alike.length > 0 && (await users.first({ where: { id: { $ne: id }, $or: alike }, select: ['id'] }))
  if (other) {
    const message = `${at}: its username or email is the email or username of the user ${other.id}`
    if (!ids.has(other.id)) throw new Error(message)
    logger.warn({ user: id }, message)
  }
  const known = await users.first({ where: { id }, select: ['username', 'email'] })
  // An export has the attributes that a project adds in `entries`, which made a row with this id, perhaps without a name.
  if (known && known.username !== null && known.username !== username && known.email !== email)
    throw new Error(`${at}: the id ${id} is that of the user ${JSON.stringify(known.username)}`)
  const row = {
    username,
    email,
    provider: optionalText(item, 'provider', at) ?? 'local',
    password: password === null || bcryptHash.test(password) ? password : await hashOf(password),
    confirmed: flag(item, 'confirmed', at),
    blocked: flag(item, 'blocked', at),
    role,
    createdAt: date(item, 'createdAt', at) ?? sql`now()`,
    updatedAt: date(item, 'updatedAt', at) ?? sql`now()`,
    ...(username !== null && lookColumns(username)),
  }
  const replaced = await users.update({
    where: { id },
    set: {
      ...row,
      // Invalidates the codes and tokens of the replaced user.
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

async function hashOf(password: string): Promise<string> {
  const { hash } = await import('@node-rs/bcrypt')
  return hash(password, { cost: 10 })
}
