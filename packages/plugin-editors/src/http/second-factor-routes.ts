/** The second factor of the own account. */
import { matches } from '../accounts/password.ts'
import { problem } from '../problems.ts'
import type { Desk, SignedIn } from './desk.ts'
import { bodyOf, readTexts, send } from './request.ts'

export function addSecondFactorRoutes(desk: Desk): void {
  desk.add('POST', '/second-factor', begin)
  desk.add('POST', '/second-factor/confirm', confirm)
  desk.add('POST', '/second-factor/recovery-codes', recoveryCodes)
  desk.add('POST', '/second-factor/remove', remove)
}

/** @throws ValidationError for a wrong password: a session that is left open does not change how one signs in. */
async function requirePassword({ context, service, session, routes }: SignedIn): Promise<void> {
  const limits = service.limits(routes)
  await limits.address(context, 'password')
  await limits.account(context, 'password', String(session.editor.id))
  const { currentPassword } = readTexts(bodyOf(context), { currentPassword: {} })
  if (!(await matches(currentPassword, session.editor.password))) throw problem('desk/bad-credentials')
}

/** `POST second-factor`: `{ currentPassword }` to `{ secret, uri }`. */
async function begin(request: SignedIn): Promise<void> {
  await requirePassword(request)
  const { context, service, session } = request
  send(context, await service.secondFactors.begin(session.editor.id, session.editor.email ?? ''), 201)
}

/** `POST second-factor/confirm`: `{ code }` of the app to `{ recoveryCodes }`; all other sessions end. */
async function confirm({ context, service, session, routes }: SignedIn): Promise<void> {
  await service.limits(routes).account(context, 'code', String(session.editor.id))
  const { code } = readTexts(bodyOf(context), { code: {} })
  const codes = await service.secondFactors.confirm(session.editor.id, code)
  await service.sessions.endAll(session.editor.id, undefined, session.id)
  send(context, { recoveryCodes: codes })
}

/** Checks the password and a code, for changes of the second factor. */
async function requireBoth(request: SignedIn): Promise<void> {
  await requirePassword(request)
  const { code } = readTexts(bodyOf(request.context), { code: {} })
  await request.service.secondFactors.require(request.session.editor.id, code)
}

/** `POST second-factor/recovery-codes`: `{ currentPassword, code }` to new codes; the former ones end. */
async function recoveryCodes(request: SignedIn): Promise<void> {
  await requireBoth(request)
  const { context, service, session } = request
  send(context, { recoveryCodes: await service.secondFactors.newRecoveryCodes(session.editor.id) })
}

/** `POST second-factor/remove`: `{ currentPassword, code }`. */
async function remove(request: SignedIn): Promise<void> {
  await requireBoth(request)
  await request.service.secondFactors.end(request.session.editor.id)
  send(request.context, { ok: true })
}
