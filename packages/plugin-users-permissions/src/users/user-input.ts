import { type Queryable, type Sql, sql, type Transaction } from '@octavo/core'
import { foldEmail } from '@octavo/core/internal'
import { type EntryInput, isUnrestricted, type Registry, type WriteEvent } from '@octavo/core/plugin'
import { type UserRow, userRows } from '../content-rows.ts'
import { userUid } from '../content-types.ts'
import { isEmailText, mistake, throwIfAny } from '../input/input.ts'
import { foldName, looksOf, mistakeInName } from '../input/names.ts'
import { problem } from '../problems.ts'
import { callerOf } from '../rights/caller.ts'
import { alike, lookColumns } from './username-looks.ts'

/** Default maximum length of a username, in characters. */
export const defaultNameLength = 64

/** Attributes that define a user's rights and login. */
const authority: ReadonlySet<string> = new Set(['role', 'blocked', 'confirmed', 'provider'])

/** Attributes whose values must differ between users. */
interface Identity {
  readonly username?: string
  readonly email?: string
}

type Stored = Pick<UserRow, 'username' | 'email' | 'provider' | 'blocked'>

/**
 * The checks of every write of a user, by routes, programs and provider logins.
 *
 * - A permission for some users only excludes `role`, `blocked`, `confirmed` and `provider`, unless it names them.
 * - A name is well formed, and neither name nor address equals or resembles those of another user.
 * - A change of address, password, provider or block invalidates the user's codes and tokens.
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
    input.email = foldEmail(input.email)
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
    Object.assign(input, lookColumns(identity.username))
  }
  await lockIdentity(identity, entries)
  const conflict = await conflictWithUsers(identity, id, entries, registry)
  if (conflict !== undefined) throw problem('user/taken', { attribute: conflict })
  if (!stored || !changesCredentials(input, stored)) return input
  await endTokens(event.id, entries, registry)
  return { ...codesEnded, ...input }
}

/** Invalidates all tokens of a user, by increasing the version that they contain. */
export async function endTokens(id: number | undefined, db: Queryable, registry: Registry): Promise<void> {
  if (id !== undefined)
    await userRows(db, registry).update({ where: { id }, set: { tokenVersion: nextVersion } })
}

/** The next version of a user's tokens. */
export const nextVersion = (version: Sql): Sql => sql`coalesce(${version}, 0) + 1`

/** The codes that a change of credentials invalidates. */
const codesEnded = {
  resetPasswordToken: null,
  resetPasswordExpires: null,
  confirmationToken: null,
  pendingEmail: null,
}

/**
 * Attributes that define rights can be written by programs and plugins, under a permission without limits, as in the recorded
 * exchanges of the reference server, or under one that names the attribute. A permission that is limited to some users, such
 * as the caller's own account, does not include them.
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

/** Whether a write changes the login of a user, or blocks it. */
const changesCredentials = (input: EntryInput, stored: Stored): boolean =>
  (input.password !== undefined && input.password !== null) ||
  (input.email !== undefined && input.email !== stored.email) ||
  (input.provider !== undefined && input.provider !== stored.provider) ||
  (input.blocked !== undefined && (input.blocked === true) !== (stored.blocked === true))

/**
 * The attributes whose value equals or resembles the name or address of another user. Addresses are compared with names as
 * well, and names with addresses, since a login accepts both.
 */
export async function conflictWithUsers(
  { username, email }: Identity,
  id: number | undefined,
  db: Queryable,
  registry: Registry,
): Promise<'username' | 'email' | undefined> {
  // PostgreSQL refuses to compare such a text. The checks of names and addresses refuse it with its attribute.
  if (username?.includes('\0') || email?.includes('\0')) return undefined
  const users = userRows(db, registry)
  const others = id === undefined ? {} : { id: { $ne: id } }
  if (email !== undefined) {
    const same = [{ email }, { username: email }, ...alike(looksOf(email))]
    if (await users.first({ where: { ...others, $or: same }, select: ['id'] })) return 'email'
  }
  if (username !== undefined) {
    const addresses = [username, foldName(username), foldEmail(username)]
    const same = [{ username }, ...alike(looksOf(username)), { email: addresses }]
    if (await users.first({ where: { ...others, $or: same }, select: ['id'] })) return 'username'
  }
  return undefined
}

/** Locks both names until the end of the transaction, so that of two concurrent writes of one name the second is refused. */
async function lockIdentity({ username, email }: Identity, tx: Pick<Transaction, 'lock'>): Promise<void> {
  const looks = [username, email]
    .filter((name) => name !== undefined)
    .flatMap((name) => Object.values<string>({ ...looksOf(name) }))
  // In a fixed order, to avoid deadlocks.
  for (const look of [...new Set(looks)].sort()) await tx.lock(`user ${look}`)
}
