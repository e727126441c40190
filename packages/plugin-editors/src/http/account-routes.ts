/** Signing in and out, the own account, and the links that set a password. */
import { foldEmail } from '@octavo/core/internal'
import { readId } from '@octavo/core/plugin'
import { matches } from '../accounts/password.ts'
import { editorRows } from '../accounts/rows.ts'
import type { Session } from '../accounts/sessions.ts'
import { problem } from '../problems.ts'
import type { Desk, SignedIn, Visit } from './desk.ts'
import {
  bodyOf,
  cookieOf,
  emailRule,
  languageRule,
  newPassword,
  readTexts,
  refuseOthers,
  send,
  setCookie,
} from './request.ts'
import { summaryOf } from './summary.ts'

export function addAccountRoutes(desk: Desk): void {
  desk.open('POST', '/first', first, { isFirst: true })
  desk.open('POST', '/login', login)
  desk.open('POST', '/accept', accept)
  desk.open('POST', '/forgot-password', forgotPassword)
  desk.open('POST', '/logout', logout)
  desk.add('GET', '/me', me)
  desk.add('PUT', '/me', changeMe)
  desk.add('POST', '/password', changePassword)
  desk.add('GET', '/sessions', sessions)
  desk.add('DELETE', '/sessions', endSessions)
  desk.add('DELETE', '/sessions/:id', endSession)
}

const nameRule = { required: false } as const

/** `POST first`: `{ token, email, password, firstname, lastname }` makes the first editor. */
async function first({ context, service, routes }: Visit): Promise<void> {
  await service.limits(routes).address(context, 'first')
  const { token, email, password, firstname, lastname } = readTexts(bodyOf(context), {
    token: {},
    email: emailRule,
    password: newPassword,
    firstname: nameRule,
    lastname: nameRule,
  })
  const person = { email: foldEmail(email), firstname, lastname }
  await service.people.createFirst(token, person, password)
  send(context, { ok: true }, 201)
}

/** `POST login`: `{ email, password, code }` to the answer of `GET me`, with the cookie. */
async function login(visit: Visit): Promise<void> {
  const { context, service, routes } = visit
  requirePasswords(visit)
  const limits = service.limits(routes)
  await limits.address(context, 'login')
  const {
    email: written,
    password,
    code,
  } = readTexts(bodyOf(context), { email: {}, password: {}, code: { required: false } })
  const email = foldEmail(written)
  await limits.login(context, email)
  const { store, registry } = service.octavo
  const editor = await editorRows(store, registry).first({ where: { email } })
  // Compared for unknown people as well, and before any other check: neither answer nor time tells who there is.
  const isRight = await matches(password, editor?.password)
  if (!editor || !isRight || editor.active !== true) throw problem('desk/bad-credentials')
  if (await service.secondFactors.isOn(editor.id)) {
    if (code === undefined) throw problem('desk/code-required')
    await service.secondFactors.require(editor.id, code)
  }
  await limits.loggedIn(context, [email])
  const session = await startSession(visit, editor.id, editor.password)
  if (!session) throw problem('desk/bad-credentials')
  send(context, summaryOf(session, service))
}

/**
 * Begins a session, with its cookie; `undefined` for a person who is not active.
 * @param checked The stored password with which the person signs in. If it was changed meanwhile, which ends all sessions, no session begins.
 */
export async function startSession(
  visit: Visit,
  editorId: number,
  checked?: string | null,
): Promise<Session | undefined> {
  const { context, service } = visit
  // A cookie that somebody else has put there ends (S-50).
  await endCookie(visit)
  const secret = await service.sessions.begin(editorId, context.get('User-Agent'))
  const session = await service.sessions.find(secret)
  const isChanged = checked !== undefined && session?.editor.password !== checked
  if (session && !isChanged) {
    setCookie(context, secret, service.settings.longest)
    return session
  }
  await service.sessions.endOf(secret)
  return undefined
}

async function endCookie({ context, service }: Visit): Promise<void> {
  const cookie = cookieOf(context)
  if (cookie !== undefined) await service.sessions.endOf(cookie)
}

/** @throws ForbiddenError where people sign in at the issuer only */
function requirePasswords({ service }: Pick<Visit, 'service'>): void {
  if (!service.settings.passwords) throw problem('desk/passwords-off')
}

/** `POST logout`: ends this session, if there is one. */
async function logout(visit: Visit): Promise<void> {
  await endCookie(visit)
  setCookie(visit.context, '', 0)
  send(visit.context, { ok: true })
}

/** `POST accept`: `{ token, password }` sets the password of an invitation or after a forgotten one. */
async function accept({ context, service, routes }: Visit): Promise<void> {
  requirePasswords({ service })
  await service.limits(routes).address(context, 'accept')
  const { token, password } = readTexts(bodyOf(context), { token: {}, password: newPassword })
  await service.people.accept(token, password)
  send(context, { ok: true })
}

/** `POST forgot-password`: `{ email }`, always `{ ok: true }`. */
async function forgotPassword({ context, service, routes }: Visit): Promise<void> {
  requirePasswords({ service })
  const limits = service.limits(routes)
  await limits.address(context, 'forgot')
  const { email: written } = readTexts(bodyOf(context), { email: emailRule })
  const email = foldEmail(written)
  await limits.account(context, 'forgot', email)
  // In the background: a link takes longer than none, which would tell whether there is such a person.
  service.mailer.run(async () => {
    const { store, registry } = service.octavo
    const editor = await editorRows(store, registry).first({ where: { email, active: true } })
    if (!editor?.email) return
    const { link } = await service.links.make(store, 'reset', editor.id)
    await service.mailer.sendReset(editor.email, link)
  })
  send(context, { ok: true })
}

/** `GET me`: the person, the roles, and what the person may do per content-type. */
async function me({ context, service, session }: SignedIn): Promise<void> {
  send(context, summaryOf(session, service))
}

/** `PUT me`: `{ firstname, lastname, language }`. */
async function changeMe({ context, service, session }: SignedIn): Promise<void> {
  const { store, registry } = service.octavo
  const body = bodyOf(context)
  refuseOthers(body, ['firstname', 'lastname', 'language'])
  const texts = readTexts(body, {
    firstname: nameRule,
    lastname: nameRule,
    language: languageRule,
  })
  const set = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined))
  await editorRows(store, registry).update({ where: { id: session.editor.id }, set })
  const cookie = cookieOf(context) ?? ''
  const changed = await service.sessions.find(cookie)
  send(context, summaryOf(changed ?? session, service))
}

/** `POST password`: `{ currentPassword, password }`; all other sessions end. */
async function changePassword({ context, service, session, routes }: SignedIn): Promise<void> {
  requirePasswords({ service })
  const limits = service.limits(routes)
  await limits.address(context, 'password')
  await limits.account(context, 'password', String(session.editor.id))
  const { currentPassword, password } = readTexts(bodyOf(context), {
    currentPassword: {},
    password: newPassword,
  })
  if (!(await matches(currentPassword, session.editor.password))) throw problem('desk/bad-credentials')
  await service.people.setPassword(session, password)
  send(context, { ok: true })
}

/** `GET sessions`: the own sessions, the newest first. */
async function sessions({ context, service, session }: SignedIn): Promise<void> {
  const list = await service.sessions.list(session.editor.id)
  send(
    context,
    list.map(({ id, agent, created_at, used_at, expires_at }) => ({
      id,
      agent,
      createdAt: created_at,
      usedAt: used_at,
      expiresAt: expires_at,
      current: id === session.id,
    })),
  )
}

/** `DELETE sessions`: signs out everywhere. */
async function endSessions({ context, service, session }: SignedIn): Promise<void> {
  await service.sessions.endAll(session.editor.id)
  setCookie(context, '', 0)
  send(context, { ok: true })
}

async function endSession({ context, service, session }: SignedIn): Promise<void> {
  const id = readId(context.params.id)
  if (id === undefined || !(await service.sessions.end(session.editor.id, id)))
    throw problem('desk/not-found')
  send(context, { ok: true })
}
