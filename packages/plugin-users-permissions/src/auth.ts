import { type EntryInput, type Octavo, type OctavoError, param, sql } from '@octavo/core'
import type { RouteContext } from '@octavo/server'
import { confirmationUrl, withParam, writeUser } from './account.ts'
import { callerOf, stateOfCaller } from './caller.ts'
import { notTrue, type UserRow, userRows } from './content-rows.ts'
import { userUid } from './content-types.ts'
import { everything } from './grants.ts'
import { type Body, emailRule, mistake, readTexts, throwIfAny } from './input.ts'
import { foldName, lookOf, mistakeInName } from './names.ts'
import { matches, maxPasswordBytes } from './password.ts'
import { problem } from './problems.ts'
import { publicUrl } from './public-url.ts'
import type { Tools } from './routes.ts'
import { hashToken, makeToken } from './secret-token.ts'
import type { Service } from './service.ts'
import { defaultNameLength, takenIn } from './user-input.ts'
import { bodyOf, readUser, send, stateOf } from './users.ts'

/** How long a reset token holds, in minutes. */
const resetMinutes = 60

const newPassword = {
  min: 6,
  check: (text: string) =>
    Buffer.byteLength(text) > maxPasswordBytes ? `must be at most ${maxPasswordBytes} bytes` : undefined,
} as const

const invalid = (message: string): OctavoError => problem('auth/invalid', { message })

/** `POST /auth/local`: `{ identifier, password }` to `{ jwt, user }`. The identifier is a username or an address. */
export async function login(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit } = tools
  await limit.address(context, 'login')
  const { identifier, password } = readTexts(bodyOf(context), { identifier: {}, password: {} })
  const name = foldName(identifier)
  await limit.login(context, name)
  const user = await userNamed(identifier, name, service.octavo)
  // Compared in any case, and before anything is said: neither answer nor time tells whether there is such a user.
  const right = await matches(password, user?.password)
  if (!user || !right) throw invalid('Invalid identifier or password')
  if (options.emailConfirmation && user.confirmed !== true) throw problem('auth/not-confirmed')
  if (user.blocked === true) throw problem('auth/blocked')
  await limit.loggedIn(context, [foldName(user.username ?? ''), user.email ?? ''])
  await sendSession(context, tools, user.id)
}

type LoginRow = Pick<UserRow, 'id' | 'username' | 'email' | 'password' | 'confirmed' | 'blocked'>

/**
 * The user of an identifier: by address first, which is the name of no other user, then by the name as it is written, then
 * by the only name that differs in case or compatible characters alone.
 */
async function userNamed(
  identifier: string,
  folded: string,
  { store, registry }: Octavo,
): Promise<LoginRow | undefined> {
  const users = await userRows(store, registry).find({
    where: {
      provider: ['local', null],
      $or: [{ email: folded }, { username: identifier }, { usernameLook: lookOf(identifier) }],
    },
    select: ['id', 'username', 'email', 'password', 'confirmed', 'blocked'],
  })
  const exact =
    users.find(({ email }) => email === folded) ?? users.find(({ username }) => username === identifier)
  if (exact) return exact
  const alike = users.filter(({ username }) => foldName(username ?? '') === folded)
  return alike.length === 1 ? alike[0] : undefined
}

/** `POST /auth/local/register`: `{ username, email, password }` and what the options allow; the rest is ignored. */
export async function register(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit, asItself } = tools
  await limit.address(context, 'register')
  if (options.register?.enabled === false) throw problem('auth/register-off')
  const body = bodyOf(context)
  const {
    username,
    email: written,
    password,
  } = readTexts(body, { username: { min: 3 }, email: emailRule, password: newPassword })
  const email = written.toLowerCase()
  const role = await service.directory.roleOfType(options.register?.defaultRole ?? 'authenticated')
  if (!role) throw problem('auth/no-role')
  const wrong = mistakeInName(username, options.usernames?.maxLength ?? defaultNameLength)
  if (wrong !== undefined) throwIfAny([mistake('username', `username ${wrong}`)])
  // Neither may be, or look like, the name or address of another user.
  const taken = await takenIn({ username, email }, undefined, service.octavo.store, service.octavo.registry)
  if (taken && !options.neutralAnswers) throw problem('auth/taken')
  const token = options.emailConfirmation ? makeToken() : undefined
  const input = {
    ...allowedFields(body, options.register?.allowedFields ?? []),
    username,
    email,
    password,
    provider: 'local',
    role: role.id,
    confirmed: token === undefined,
    blocked: false,
    ...(token !== undefined && { confirmationToken: hashToken(token) }),
  }
  if (taken) {
    await createNobody(tools, input)
    return send(context, { ok: true })
  }
  const { id } = await tools.service.octavo.transaction(
    (tx) => tx.entries(userUid).create(input, { fields: 'id' }),
    asItself,
  )
  if (token === undefined) return sendSession(context, tools, id)
  service.mailer.send('emailConfirmation', email, {
    email,
    username,
    url: confirmationUrl(tools, token),
  })
  if (options.neutralAnswers) return send(context, { ok: true })
  send(context, {
    user: await readUser(service, { action: 'me', id, query: '', state: asItself }),
  })
}

/**
 * The work of a registration, mistakes included, of which nothing stays: neither time nor the next id tells that the
 * name was taken.
 */
async function createNobody({ service, asItself }: Tools, input: EntryInput): Promise<void> {
  const undone = new Error('Not to be kept')
  const free = { username: makeToken(), email: `${makeToken()}@example.invalid` }
  const work = service.octavo.transaction(async (tx) => {
    await tx.entries(userUid).create({ ...input, ...free }, { fields: 'id' })
    throw undone
  }, asItself)
  await work.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

/** Those that an operator listed, and never one that says who somebody is or what they may do. */
function allowedFields(body: Body, allowed: readonly string[]): Body {
  const never = [
    'id',
    'role',
    'provider',
    'confirmed',
    'blocked',
    'resetPasswordToken',
    'resetPasswordExpires',
    'confirmationToken',
    'tokenVersion',
    'providerSubject',
    'pendingEmail',
    'usernameLook',
  ]
  return Object.fromEntries(
    allowed
      .filter((name) => !never.includes(name) && Object.hasOwn(body, name))
      .map((name) => [name, body[name]]),
  )
}

/** `POST /auth/forgot-password`: `{ email }`, always `{ ok: true }`. */
export async function forgotPassword(
  context: RouteContext,
  { service, options, limit, prefix }: Tools,
): Promise<void> {
  await limit.address(context, 'forgot')
  const { email } = readTexts(bodyOf(context), { email: emailRule })
  await limit.account(context, 'forgot', email)
  // The answer does not wait: a row that is changed takes longer than one that is not there.
  service.background.run('A code for a new password could not be made', async () => {
    const token = makeToken()
    const { store, registry } = service.octavo
    const [user] = await userRows(store, registry).update({
      where: { email: email.toLowerCase(), blocked: notTrue },
      set: {
        resetPasswordToken: hashToken(token),
        resetPasswordExpires: sql`now() + make_interval(mins => ${param(resetMinutes, 'int')})`,
      },
      returning: ['username', 'email'],
    })
    if (user) {
      const { username, email: address } = user
      const page = options.urls?.resetPassword ?? `${publicUrl(options)}${prefix}/auth/reset-password`
      service.mailer.send('resetPassword', address ?? email, {
        username: username ?? '',
        email: address ?? email,
        url: withParam(page, 'code', token),
      })
    }
  })
  send(context, { ok: true })
}

/** `POST /auth/reset-password`: `{ code, password, passwordConfirmation }` to `{ jwt, user }`. A code works once. */
export async function resetPassword(context: RouteContext, tools: Tools): Promise<void> {
  const { service, limit } = tools
  await limit.address(context, 'reset')
  const { code, password, passwordConfirmation } = readTexts(bodyOf(context), {
    code: {},
    password: newPassword,
    passwordConfirmation: {},
  })
  if (password !== passwordConfirmation) throw invalid('Passwords do not match')
  const { store, registry } = service.octavo
  const [user] = await userRows(store, registry).update({
    where: {
      resetPasswordToken: hashToken(code),
      resetPasswordExpires: { $gt: sql`now()` },
      blocked: notTrue,
    },
    set: { resetPasswordToken: null, resetPasswordExpires: null },
    returning: ['id'],
  })
  if (!user) throw invalid('Incorrect code provided')
  await writeUser(tools, user.id, { password })
  await sendSession(context, tools, user.id)
}

/** `POST /auth/change-password`: `{ currentPassword, password, passwordConfirmation }` to `{ jwt, user }`; older tokens end. */
export async function changePassword(context: RouteContext, tools: Tools): Promise<void> {
  const { service, limit } = tools
  const id = callerOf(stateOf(context))?.userId
  if (id === undefined)
    throw problem('auth/not-logged-in', { message: 'You must be authenticated to reset your password' })
  await limit.address(context, 'change')
  await limit.account(context, 'change', id)
  const { currentPassword, password, passwordConfirmation } = readTexts(bodyOf(context), {
    currentPassword: {},
    password: newPassword,
    passwordConfirmation: {},
  })
  if (password !== passwordConfirmation)
    throwIfAny([mistake('passwordConfirmation', 'Passwords do not match')])
  const { store, registry } = service.octavo
  const stored = await userRows(store, registry).first({ where: { id }, select: ['password'] })
  if (!(await matches(currentPassword, stored?.password)))
    throw invalid('The provided current password is invalid')
  if (currentPassword === password)
    throw invalid('Your new password must be different than your current password')
  await writeUser(tools, id, { password })
  await sendSession(context, tools, id)
}

/** `GET /auth/email-confirmation?confirmation=`: confirms the address and leads on to the site. */
export async function emailConfirmation(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit } = tools
  await limit.address(context, 'confirm')
  const { confirmation } = readTexts({ confirmation: context.query.confirmation }, { confirmation: {} })
  const { store, registry } = service.octavo
  const [user] = await userRows(store, registry).update({
    where: { confirmationToken: hashToken(confirmation) },
    set: { confirmed: true, confirmationToken: null },
    returning: ['id', 'pendingEmail'],
  })
  if (!user) throw invalid('Invalid token')
  const { id, pendingEmail } = user
  // Through the write path, which refuses an address that is somebody's by now and ends the tokens given out before.
  if (pendingEmail !== null) await writeUser(tools, id, { email: pendingEmail, pendingEmail: null })
  await service.tell({ account: id })
  context.redirect(options.urls?.afterConfirmation ?? '/')
}

/** `POST /auth/send-email-confirmation`: `{ email }` to `{ email, sent: true }`. */
export async function sendEmailConfirmation(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit } = tools
  await limit.address(context, 'send-confirmation')
  const { email: written } = readTexts(bodyOf(context), { email: emailRule })
  await limit.account(context, 'send-confirmation', written)
  const email = written.toLowerCase()
  if (options.neutralAnswers) {
    // The answer does not wait for what takes longer when there is such a user.
    service.background.run('A confirmation could not be made', async () => void (await confirm(tools, email)))
  } else if (!(await confirm(tools, email))) {
    const { store, registry } = service.octavo
    const known = await userRows(store, registry).first({ where: { email }, select: ['blocked'] })
    if (known) throw problem('auth/confirmed', { blocked: known.blocked === true })
  }
  send(context, { email, sent: true })
}

/** Sends somebody who is not confirmed yet a new code. @returns whether there is such a user. */
async function confirm(tools: Tools, email: string): Promise<boolean> {
  const { octavo, mailer } = tools.service
  const token = makeToken()
  const users = userRows(octavo.store, octavo.registry)
  const [user] = await users.update({
    where: { email, confirmed: notTrue, blocked: notTrue },
    set: { confirmationToken: hashToken(token), pendingEmail: null },
    returning: ['username'],
  })
  if (user)
    mailer.send('emailConfirmation', email, {
      email,
      username: user.username ?? '',
      url: confirmationUrl(tools, token),
    })
  return user !== undefined
}

/** `POST /auth/refresh`: `{ refreshToken }` to `{ jwt, refreshToken }`. Each works once; one that comes again ends all of its family. */
export async function refresh(context: RouteContext, { service, limit }: Tools): Promise<void> {
  await limit.address(context, 'refresh')
  const { refreshToken } = readTexts(bodyOf(context), { refreshToken: {} })
  const rotated = await service.refreshTokens?.rotate(refreshToken)
  if (!rotated) await endLogin(service, refreshToken)
  const account = rotated && (await service.directory.readAccount(rotated.session.userId))
  if (!rotated || !account || account.blocked || account.version !== rotated.session.version)
    throw problem('auth/bad-refresh-token')
  const { family: session } = rotated.session
  const jwt = await service.tokens.make({ id: account.id, version: account.version, session })
  send(context, { jwt, refreshToken: rotated.next })
}

/** `POST /auth/logout`: `{ refreshToken }`, always `{ ok: true }`. It ends this login, its access tokens too, and no other. */
export async function logout(context: RouteContext, { service }: Tools): Promise<void> {
  const { refreshToken } = readTexts(bodyOf(context), { refreshToken: {} })
  await endLogin(service, refreshToken)
  send(context, { ok: true })
}

/** Ends a login with all of its tokens, in every process. */
async function endLogin(service: Service, refreshToken: string): Promise<void> {
  const account = await service.refreshTokens?.end(refreshToken)
  if (account !== undefined) await service.tell({ account })
}

/** Answers with a token, and the user as they would see themselves. */
export async function sendSession(context: RouteContext, { service }: Tools, id: number): Promise<void> {
  const account = await service.directory.readAccount(id)
  if (!account) throw invalid('Invalid identifier or password')
  const begun = await service.refreshTokens?.begin({ userId: id, version: account.version })
  const jwt = await service.tokens.make({
    id,
    version: account.version,
    ...(begun && { session: begun.family }),
  })
  const grants = await service.directory.grants(account.roleId)
  // Whoever may not ask for themselves still gets the answer of a login.
  const caller = { grants: grants.of(`${userUid}.me`) ? grants : everything, userId: id }
  send(context, {
    jwt,
    ...(begun && { refreshToken: begun.token }),
    user: await readUser(service, { action: 'me', id, query: '', state: stateOfCaller(caller) }),
  })
}
