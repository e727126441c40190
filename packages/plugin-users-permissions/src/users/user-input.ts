import {
  type EntryInput,
  isUnrestricted,
  type Queryable,
  type Registry,
  type Sql,
  sql,
  type Transaction,
  type WriteEvent,
} from '@octavo/core'
import { type UserRow, userRows } from '../content-rows.ts'
import { userUid } from '../content-types.ts'
import { isEmailText, mistake, throwIfAny } from '../input.ts'
import { problem } from '../problems.ts'
import { callerOf } from '../rights/caller.ts'
import { foldName, lookOf, mistakeInName } from './names.ts'

/** Characters of a username, at most, unless the options say otherwise. */
export const defaultNameLength = 64

/** Attributes that say what a user may do, or by which proof they log in. */
const authority: ReadonlySet<string> = new Set(['role', 'blocked', 'confirmed', 'provider'])

/** What other users must not have. */
interface Identity {
  readonly username?: string
  readonly email?: string
}

type Stored = Pick<UserRow, 'username' | 'email' | 'provider' | 'blocked'>

/**
 * What any write of a user goes through, whoever makes it: routes, programs, logins by another service.
 *
 * - A permission for some users only does not include `role`, `blocked`, `confirmed` and `provider`, unless it names them.
 * - A name is well formed, and neither name nor address is, or looks like, those of another user.
 * - A change of address, password, provider or block ends the codes and tokens that were given out before.
 *
 * @throws ValidationError, ApplicationError `user/taken`
 */
export async function userInput(
  given: EntryInput,
  event: WriteEvent,
  nameLength: number,
  registry: Registry,
): Promise<EntryInput> {
  const { id, entries } = event
  const users = userRows(entries, registry)
  const stored =
    id === undefined
      ? undefined
      : await users.first({ where: { id }, select: ['username', 'email', 'provider', 'blocked'] })
  const input: Record<string, unknown> = { ...withoutAuthority(given, event) }
  if (typeof input.email === 'string') {
    input.email = input.email.trim().toLowerCase()
    if (input.email !== stored?.email && !isEmailText(input.email as string))
      throwIfAny([mistake('email', 'email must be a valid email')])
  }
  const identity = {
    ...(typeof input.username === 'string' &&
      input.username !== stored?.username && { username: input.username }),
    ...(typeof input.email === 'string' && input.email !== stored?.email && { email: input.email }),
  }
  if (identity.username !== undefined) {
    const wrong = mistakeInName(identity.username, nameLength)
    if (wrong !== undefined) throwIfAny([mistake('username', `username ${wrong}`)])
    input.usernameLook = lookOf(identity.username)
  }
  await lockIdentity(identity, entries)
  const taken = await takenIn(identity, id, entries, registry)
  if (taken !== undefined) throw problem('user/taken', { attribute: taken })
  if (!stored || !changesCredentials(input, stored)) return input
  await endTokens(event.id, entries, registry)
  return { ...codesEnded, ...input }
}

/** Ends every token that a user has: tokens carry the version that they were made in. */
export async function endTokens(id: number | undefined, db: Queryable, registry: Registry): Promise<void> {
  if (id !== undefined)
    await userRows(db, registry).update({ where: { id }, set: { tokenVersion: nextVersion } })
}

/** The next version of a user's tokens. */
export const nextVersion = (version: Sql): Sql => sql`coalesce(${version}, 0) + 1`

/** The codes that a change of credentials ends. */
const codesEnded = {
  resetPasswordToken: null,
  resetPasswordExpires: null,
  confirmationToken: null,
  pendingEmail: null,
}

/**
 * Authority is given by programs and plugins, and by a permission that covers all of all users, as in the recorded
 * exchanges of the reference server, or that names the attribute. One that is limited to some users, such as the own
 * account, does not include it.
 */
function withoutAuthority(input: EntryInput, { action, by, state }: WriteEvent): EntryInput {
  if (action !== 'update' || by === 'plugin' || isUnrestricted(state)) return input
  const permission = callerOf(state)?.grants.of(`${userUid}.update`)
  if (permission && !permission.where && !permission.fields) return input
  const fields = permission?.fields ?? []
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => !authority.has(name) || fields.includes(name)),
  )
}

/** Whether a write changes how a user logs in, or whether they may. */
const changesCredentials = (input: EntryInput, stored: Stored): boolean =>
  (input.password !== undefined && input.password !== null) ||
  (input.email !== undefined && input.email !== stored.email) ||
  (input.provider !== undefined && input.provider !== stored.provider) ||
  (input.blocked !== undefined && (input.blocked === true) !== (stored.blocked === true))

/**
 * Which of the two is, or looks like, the name or address of another user. An address is compared with names as well, and
 * a name with addresses: at login one could be taken for the other.
 */
export async function takenIn(
  { username, email }: Identity,
  id: number | undefined,
  db: Queryable,
  registry: Registry,
): Promise<'username' | 'email' | undefined> {
  const users = userRows(db, registry)
  const others = id === undefined ? {} : { id: { $ne: id } }
  if (email !== undefined) {
    const same = [{ email }, { username: email }, { usernameLook: lookOf(email) }]
    if (await users.first({ where: { ...others, $or: same }, select: ['id'] })) return 'email'
  }
  if (username !== undefined) {
    const same = [{ username }, { usernameLook: lookOf(username) }, { email: [username, foldName(username)] }]
    if (await users.first({ where: { ...others, $or: same }, select: ['id'] })) return 'username'
  }
  return undefined
}

/** Holds both names until the transaction ends, so that of two users who take one at a time the second is refused. */
async function lockIdentity({ username, email }: Identity, tx: Pick<Transaction, 'lock'>): Promise<void> {
  const looks = [username, email].filter((name) => name !== undefined).map(lookOf)
  // In one order for all, so that no two wait for each other.
  for (const look of [...new Set(looks)].sort()) await tx.lock(`user ${look}`)
}
