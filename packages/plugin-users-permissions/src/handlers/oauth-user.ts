/** The users of logins by providers. */
import { OctavoError } from '@octavo/core'
import { userRows } from '../content-rows.ts'
import { userUid } from '../content-types.ts'
import { printable } from '../input/names.ts'
import type { Profile } from '../oauth-provider.ts'
import { defaultRoleOf } from '../options.ts'
import { problem } from '../problems.ts'
import { makeToken } from '../tokens/secret-token.ts'
import type { Tools } from '../tools.ts'
import { conflictWithUsers, defaultNameLength } from '../users/user-input.ts'
import { writeUser } from './account.ts'

/** Attempts to make or to take a user. Logins at the same moment may do the same, or take its name, once each. */
const attempts = 3

/**
 * The user of the provider's subject, or who came from another server with its address; created when new; else the `error` for the page. `account_exists`: another user has the address,
 * and a login by a provider does not give access to an account with a password. `no_account`: there are no registrations.
 */
export async function userOf(
  profile: Profile,
  provider: string,
  tools: Tools,
  attempt = 1,
): Promise<number | 'account_exists' | 'no_account'> {
  const { service, options, ownState } = tools
  const { store, registry } = service.octavo
  const known = async (): Promise<number | undefined> => {
    const where = { provider, providerSubject: profile.subject }
    return (await userRows(store, registry).first({ where, select: ['id'] }))?.id
  }
  const user = await known()
  if (user !== undefined) return user
  const brought = await broughtUser(profile, provider, tools)
  if (brought === 'taken' && attempt < attempts) return userOf(profile, provider, tools, attempt + 1)
  if (typeof brought === 'number') return brought
  // The user with the address may be the person's own since a moment ago, by another login.
  if (await conflictWithUsers({ email: profile.email }, undefined, store, registry))
    return (await known()) ?? 'account_exists'
  if (options.register?.enabled === false) return 'no_account'
  const role = await service.directory.roleOfType(defaultRoleOf(options))
  if (!role) throw problem('auth/no-role')
  const input = {
    username: await freeName(profile.name, tools),
    email: profile.email,
    provider,
    providerSubject: profile.subject,
    role: role.id,
    confirmed: true,
    blocked: false,
  }
  const type = registry.contentType(userUid)
  try {
    const { data } = await service.octavo.write({
      type,
      action: 'create',
      input,
      query: 'fields=id',
      state: ownState,
    })
    return (JSON.parse(data ?? '{}') as { id: number }).id // the created user
  } catch (error) {
    const isTaken = error instanceof OctavoError && error.code === 'user/taken'
    if (!isTaken || attempt === attempts) throw error
    return userOf(profile, provider, tools, attempt + 1)
  }
}

/**
 * The user of another server's logins by this provider, which knew people by their address only. The first login with the verified address
 * gives the user the subject of the person; `taken` when another login did so at the same moment, `undefined` when there is no such user.
 */
async function broughtUser(
  { email, subject }: Profile,
  provider: string,
  tools: Tools,
): Promise<number | 'taken' | undefined> {
  const { store, registry } = tools.service.octavo
  const user = await userRows(store, registry).first({
    where: { provider, email, providerSubject: null },
    select: ['id'],
  })
  if (!user) return undefined
  const refusal = problem('auth/connect', {
    message: 'Another login of this address ended at the same moment',
  })
  const userProof = { attribute: 'providerSubject', value: null, refusal } as const
  try {
    await writeUser(tools, user.id, { providerSubject: subject }, { ...tools.ownState, userProof })
    return user.id
  } catch (error) {
    if (error === refusal) return 'taken'
    throw error
  }
}

/** An unused username based on the provider's, without characters that usernames may not have. */
async function freeName(requested: string, { service, options }: Tools): Promise<string> {
  const { store, registry } = service.octavo
  const length = options.usernames?.maxLength ?? defaultNameLength
  const name = cut(printable(requested), length).padEnd(3, '_')
  const conflict = await conflictWithUsers({ username: name }, undefined, store, registry)
  if (conflict === undefined) return name
  const suffix = `-${makeToken().slice(0, 8)}`
  return cut(cut(name, Math.max(0, length - suffix.length)) + suffix, length)
}

/** The first characters of a text; none is cut in two. */
const cut = (text: string, length: number): string => [...text].slice(0, length).join('').trim()
