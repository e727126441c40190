import type { Octavo } from '@octavo/core'
import { foldEmail } from '@octavo/core/internal'
import type { RouteContext } from '@octavo/server'
import { type UserRow, userRows } from '../content-rows.ts'
import { readTexts } from '../input/input.ts'
import { foldName, looksOf } from '../input/names.ts'
import { matches } from '../input/password.ts'
import { bodyOf, send } from '../input/request.ts'
import { problem } from '../problems.ts'
import type { Service } from '../service.ts'
import type { Tools } from '../tools.ts'
import { invalid, sendSession } from './session.ts'

/** `POST /auth/local`: `{ identifier, password }` to `{ jwt, user }`. The identifier is a username or an address. */
export async function login(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit } = tools
  await limit.address(context, 'login')
  const { identifier, password } = readTexts(bodyOf(context), { identifier: {}, password: {} })
  const name = foldName(identifier)
  await limit.login(context, name)
  const user = await userNamed(identifier, name, service.octavo)
  // Compared for unknown users as well, and before any other check: neither response nor time reveals whether the user exists.
  const right = await matches(password, user?.password)
  if (!user || !right) throw invalid('Invalid identifier or password')
  if (options.emailConfirmation && user.confirmed !== true) throw problem('auth/not-confirmed')
  if (user.blocked === true) throw problem('auth/blocked')
  await limit.loggedIn(context, [foldName(user.username ?? ''), user.email ?? ''])
  await sendSession(context, tools, user, tools.repeatable(context, foldName(identifier)))
}

type LoginRow = Pick<
  UserRow,
  'id' | 'username' | 'email' | 'password' | 'confirmed' | 'blocked' | 'tokenVersion'
>

/**
 * The user of an identifier. It is looked up as an address first, since no user may have the address of another as a name, then as the exact
 * name, and then as a name that differs only in case or compatible characters, if there is exactly one.
 */
async function userNamed(
  identifier: string,
  folded: string,
  { store, registry }: Octavo,
): Promise<LoginRow | undefined> {
  const address = foldEmail(identifier)
  const users = await userRows(store, registry).find({
    where: {
      provider: ['local', null],
      $or: [{ email: address }, { username: identifier }, { usernameLook: looksOf(identifier).folded }],
    },
    select: ['id', 'username', 'email', 'password', 'confirmed', 'blocked', 'tokenVersion'],
  })
  const exact =
    users.find(({ email }) => email === address) ?? users.find(({ username }) => username === identifier)
  if (exact) return exact
  const alike = users.filter(({ username }) => foldName(username ?? '') === folded)
  return alike.length === 1 ? alike[0] : undefined
}

/** Characters of an `Idempotency-Key` that are compared. */
const longestKey = 255

/**
 * `POST /auth/refresh`: `{ refreshToken }` to `{ jwt, refreshToken }`. A token is valid once; its second use ends the session, unless it
 * repeats a request of the last ten seconds with the same `Idempotency-Key`.
 */
export async function refresh(context: RouteContext, { service, limit }: Tools): Promise<void> {
  await limit.address(context, 'refresh')
  const { refreshToken } = readTexts(bodyOf(context), { refreshToken: {} })
  const key = context.get('Idempotency-Key').slice(0, longestKey) || undefined
  if (key !== undefined) context.set('Idempotency-Key', key)
  const rotated = await service.refreshTokens?.rotate(refreshToken, key)
  if (!rotated) await endLogin(service, refreshToken)
  const account = rotated && (await service.directory.readAccount(rotated.session.userId))
  if (!rotated || !account || account.blocked || account.version !== rotated.session.version)
    throw problem('auth/bad-refresh-token')
  const { family: session } = rotated.session
  const jwt = await service.tokens.make({ id: account.id, version: account.version, session })
  send(context, { jwt, refreshToken: rotated.next })
}

/** `POST /auth/logout`: `{ refreshToken }`, always `{ ok: true }`. Ends this session with its access tokens, and no other. */
export async function logout(context: RouteContext, { service }: Tools): Promise<void> {
  const { refreshToken } = readTexts(bodyOf(context), { refreshToken: {} })
  await endLogin(service, refreshToken)
  send(context, { ok: true })
}

/** Ends a session with all of its tokens, in every process. */
async function endLogin(service: Service, refreshToken: string): Promise<void> {
  const account = await service.refreshTokens?.end(refreshToken)
  if (account !== undefined) await service.announce({ account })
}
